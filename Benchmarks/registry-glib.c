// Times questions to GLib's content types: the other side of registry/RegistryBenchmark.swift, with the
// same arguments and the same output. What GLib has no question for has no line.
//
// GLib needs no identifier for a MIME type, and knows files by their names only; the questions are those
// that a program asks for the same purpose.

#include <gio/gio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { rounds = 200000 };

static const char *const pairs[][2] = {
    {"image/png", "image/png"},
    {"text/html", "text/plain"},
    {"image/svg+xml", "application/xml"},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/zip"},
    {"text/x-csrc", "text/plain"},
    {"application/json", "text/plain"},
    {"image/png", "text/plain"},
    {"audio/mpeg", "application/zip"},
    {"video/mp4", "image/png"},
    {"application/pdf", "text/plain"},
};
static const char *const names[] = {
    "x.png", "x.html", "x.svg", "x.docx", "x.c", "x.json", "X.JPG", "x.mp3", "x.mp4", "x.nosuch",
};

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static void *conformances(void *times) {
  long count = 0;
  for (int time = 0; time < *(int *)times; time++)
    for (int round = 0; round < rounds / 10; round++)
      for (size_t pair = 0; pair < 10; pair++)
        count += g_content_type_is_a(pairs[pair][0], pairs[pair][1]);
  if (count == 0) exit(1);
  return NULL;
}

static void guesses(void) {
  long count = 0;
  for (int round = 0; round < rounds / 10; round++)
    for (size_t name = 0; name < 10; name++) {
      char *type = g_content_type_guess(names[name], NULL, 0, NULL);
      count += type != NULL;
      g_free(type);
    }
  if (count == 0) exit(1);
}

static void loop(void) {
  int once = 1, four = 4;
  conformances(&once);
  double start = now(CLOCK_PROCESS_CPUTIME_ID);
  conformances(&once);
  printf("conformance\t%g\n", (now(CLOCK_PROCESS_CPUTIME_ID) - start) / rounds);

  GThread *threads[2];
  start = now(CLOCK_PROCESS_CPUTIME_ID);
  double wall_start = now(CLOCK_MONOTONIC);
  for (int thread = 0; thread < 2; thread++)
    threads[thread] = g_thread_new("bench", conformances, &four);
  for (int thread = 0; thread < 2; thread++) g_thread_join(threads[thread]);
  double wall_time = now(CLOCK_MONOTONIC) - wall_start;
  double time = now(CLOCK_PROCESS_CPUTIME_ID) - start;
  printf("conformance, two threads\t%g\n", time / (8.0 * rounds));
  printf("conformance, two threads, by the wall\t%g\n", wall_time / (4.0 * rounds));

  guesses();
  start = now(CLOCK_PROCESS_CPUTIME_ID);
  guesses();
  printf("file name, by the MIME database\t%g\n", (now(CLOCK_PROCESS_CPUTIME_ID) - start) / rounds);
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "loop") == 0) loop();
  if (count > 1 && strcmp(arguments[1], "first") == 0) {
    char *type = g_content_type_guess("x.png", NULL, 0, NULL);
    if (!g_content_type_is_a(type, "image/png")) return 1;
    g_free(type);
  }
  return 0;
}
