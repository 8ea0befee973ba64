#include "CLinux.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Output of which a part is written and that counts only as a whole. One at a time: the program has one.
static volatile int unfinished = -1;
static volatile off_t unfinished_from;
static char unfinished_name[PATH_MAX];

// Safe in a signal handler, as all that is called from there has to be.
int clinux_take_back_output(void) {
  int result = 0;
  if (unfinished >= 0) {
    struct stat status;
    off_t here = lseek(unfinished, 0, SEEK_CUR);
    if (here < 0 || fstat(unfinished, &status) < 0) return -1;
    if (here > unfinished_from) {
      // Somebody else has written behind it.
      if (here != status.st_size) {
        errno = EBUSY;
        return -1;
      }
      result = ftruncate(unfinished, unfinished_from);
      if (result == 0) lseek(unfinished, unfinished_from, SEEK_SET);
    }
  }
  if (unfinished_name[0] != 0 && unlink(unfinished_name) < 0) result = -1;
  unfinished_name[0] = 0;
  return result;
}

static void end_without_traces(int signal) {
  clinux_take_back_output();
  // It is held back until the handler returns, and has its default meaning by then.
  raise(signal);
}

int clinux_begin_output(int descriptor, off_t from, const char *name) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  if (name != NULL && strlen(name) >= sizeof unfinished_name) {
    errno = ENAMETOOLONG;
    return -1;
  }
  struct sigaction action = {.sa_handler = end_without_traces, .sa_flags = SA_RESETHAND};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    if (clinux_is_ignored(signals[i])) continue;
    if (sigaction(signals[i], &action, NULL) < 0) return -1;
  }
  snprintf(unfinished_name, sizeof unfinished_name, "%s", name == NULL ? "" : name);
  unfinished_from = from;
  unfinished = descriptor;
  return 0;
}

void clinux_end_output(void) {
  unfinished = -1;
  unfinished_name[0] = 0;
}
