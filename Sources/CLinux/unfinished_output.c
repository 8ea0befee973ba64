#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Output of which a part is written and that counts only as a whole. One at a time: the program has one.
static volatile int unfinished = -1;
// Where it began, how much is written, and how much is if the last write was done: a signal may come behind that and
// before anybody has noted it.
static volatile off_t beginning, written, perhaps_written;
static char unfinished_name[PATH_MAX];

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM};
enum { ending_signal_count = sizeof ending_signals / sizeof *ending_signals };

static void hold_signals(sigset_t *before) {
  sigset_t held;
  sigemptyset(&held);
  for (int i = 0; i < ending_signal_count; i++) sigaddset(&held, ending_signals[i]);
  sigprocmask(SIG_BLOCK, &held, before);
}

// Only where all that stands behind the beginning is ours: others may write to the same file.
static int cut_off(void) {
  if (unfinished < 0 || perhaps_written == 0) return 0;
  struct stat status;
  off_t here = lseek(unfinished, 0, SEEK_CUR);
  if (here < 0 || fstat(unfinished, &status) < 0) return -1;
  off_t ours = here - beginning;
  if (here != status.st_size || (ours != written && ours != perhaps_written)) {
    errno = EBUSY;
    return -1;
  }
  if (ftruncate(unfinished, beginning) < 0) return -1;
  lseek(unfinished, beginning, SEEK_SET);
  written = perhaps_written = 0;
  return 0;
}

// Safe in a signal handler, as all that is called from here has to be.
int clinux_take_back_output(void) {
  sigset_t before;
  hold_signals(&before);
  int result = cut_off();
  if (unfinished_name[0] != 0 && unlink(unfinished_name) < 0) result = -1;
  int error = errno;
  unfinished_name[0] = 0;
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return result;
}

static void end_without_traces(int signal) {
  clinux_take_back_output();
  // It has its default meaning by now, and is held back until it is let through.
  sigset_t this;
  sigemptyset(&this);
  sigaddset(&this, signal);
  raise(signal);
  sigprocmask(SIG_UNBLOCK, &this, NULL);
  // The first process of a container is spared by the system.
  _exit(128 + signal);
}

int clinux_begin_output(int descriptor, const char *name) {
  size_t length = name == NULL ? 0 : strlen(name);
  if (length >= sizeof unfinished_name) {
    errno = ENAMETOOLONG;
    return -1;
  }
  sigset_t before;
  hold_signals(&before);
  if (length > 0) memcpy(unfinished_name, name, length);
  unfinished_name[length] = 0;
  written = perhaps_written = 0;
  unfinished = descriptor;
  struct sigaction action = {.sa_handler = end_without_traces, .sa_flags = SA_RESETHAND};
  for (int i = 0; i < ending_signal_count; i++) sigaddset(&action.sa_mask, ending_signals[i]);
  int result = 0;
  for (int i = 0; i < ending_signal_count && result == 0; i++) {
    // The watchdog has a handler of its own, which does the same.
    if (ending_signals[i] == SIGALRM || clinux_is_ignored(ending_signals[i])) continue;
    result = sigaction(ending_signals[i], &action, NULL);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  return result;
}

ssize_t clinux_write_output(const void *bytes, size_t count) {
  if (perhaps_written == 0) {
    // What is appended is appended behind what is there by now.
    struct stat status;
    if (fstat(unfinished, &status) < 0) return -1;
    beginning = status.st_size;
  }
  perhaps_written = written + (off_t)count;
  ssize_t result = write(unfinished, bytes, count);
  if (result > 0) written += result;
  perhaps_written = written;
  return result;
}

void clinux_end_output(void) {
  unfinished = -1;
  unfinished_name[0] = 0;
}

int clinux_may_shrink(int fd) {
  struct statx status;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_TYPE, &status) < 0) return 1;
  return (status.stx_attributes & (STATX_ATTR_APPEND | STATX_ATTR_IMMUTABLE)) == 0;
}
