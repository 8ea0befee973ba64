// What the programs share that copy and die for the benchmarks of clipd: their words and their clock.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void fail(const char *what, const char *detail) {
  fprintf(stderr, PROGRAM ": %s: %s\n", what, detail);
  exit(1);
}

/// Milliseconds.
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}
