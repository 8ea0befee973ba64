// Times whole processes in pairs: in each round every case runs once, in turn, so that whatever
// else the machine does in that moment touches all of them alike. Prints medians and ratios.
//
//   paired title TEXT runs N [bytes N] CASE...
//
//   CASE: case LABEL [base] [setup SHELL-COMMAND] [alone] [from FILE] [into FILE]
//         run PROGRAM ARGUMENT... end
//
// Of a case only the program after `run` is timed: from before it is started until its end has been
// collected. `setup` runs before each run, untimed. `alone` waits after it until no process is left
// that an earlier run left behind (copy servers whose selection was taken). `from` is the standard
// input. Standard output goes nowhere, or `into` a file that is made anew each time.
//
// Without `bytes`, times are printed, each beside the first case's ratio to it. With it, rates and
// peak memory of the program and of the server that `setup` left, and each rate's ratio to the base
// case's.
//
// This is C, not a shell or Python script, because the programs measured take about a millisecond:
// starting them must not cost the same again.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { maximumCases = 8, warmUps = 2, secondsForOneRun = 300 };

struct Case {
  const char *label;
  const char *setup;
  const char *input;
  const char *output;
  char **arguments;
  bool base;
  bool alone;
  double *seconds;  // one for each round
  long programKiB;  // peak resident size over all rounds
  long serverKiB;
};

static volatile sig_atomic_t watched;

static void onAlarm(int signal) {
  (void)signal;
  if (watched > 0) kill((pid_t)watched, SIGKILL);
}

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "paired: %s: %s\n", what, detail);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Collects the servers that have ended since; true when no child is left.
static bool reapTheRest(void) {
  for (;;) {
    pid_t pid = waitpid(-1, NULL, WNOHANG);
    if (pid == 0) return false;
    if (pid < 0) return true;
  }
}

static void waitUntilAlone(void) {
  double deadline = now() + 5;
  while (!reapTheRest()) {
    if (now() > deadline) fail("alone", "a process of an earlier run does not end");
    usleep(200);
  }
}

// Runs one program to its end.
static double run(char **arguments, const char *input, const char *output, struct rusage *usage) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, input ? input : "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output ? output : "/dev/null",
                                   O_WRONLY | O_CREAT, 0600);

  alarm(secondsForOneRun);
  double start = now();
  pid_t pid;
  int error = posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ);
  if (error) fail(arguments[0], strerror(error));
  watched = pid;
  int status;
  while (wait4(pid, &status, 0, usage) < 0) {
    if (errno != EINTR) fail(arguments[0], strerror(errno));
  }
  double end = now();
  watched = 0;
  alarm(0);
  posix_spawn_file_actions_destroy(&actions);
  if (!WIFEXITED(status)) fail(arguments[0], "was ended by a signal (or took too long)");
  if (WEXITSTATUS(status)) fail(arguments[0], "did not end with 0");
  return end - start;
}

// Peak resident size of the largest process that has become our child: the server of this case,
// since we are the reaper of everything below us.
static long peakOfServersKiB(void) {
  char name[64], line[256];
  snprintf(name, sizeof name, "/proc/self/task/%d/children", getpid());
  FILE *children = fopen(name, "r");
  if (!children) return 0;
  long peak = 0;
  int pid;
  while (fscanf(children, "%d", &pid) == 1) {
    snprintf(name, sizeof name, "/proc/%d/status", pid);
    FILE *status = fopen(name, "r");
    if (!status) continue;
    long kib;
    while (fgets(line, sizeof line, status)) {
      if (sscanf(line, "VmHWM: %ld kB", &kib) == 1 && kib > peak) peak = kib;
    }
    fclose(status);
  }
  fclose(children);
  return peak;
}

static void runCase(struct Case *subject, int round) {
  struct rusage usage;
  if (subject->setup) {
    char *shell[] = {"/bin/sh", "-c", (char *)subject->setup, NULL};
    run(shell, NULL, NULL, &usage);
  }
  if (subject->alone) waitUntilAlone();
  if (subject->output) unlink(subject->output);
  double seconds = run(subject->arguments, subject->input, subject->output, &usage);
  if (round < 0) return;
  subject->seconds[round] = seconds;
  if (usage.ru_maxrss > subject->programKiB) subject->programKiB = usage.ru_maxrss;
  reapTheRest();
  long server = peakOfServersKiB();
  if (server > subject->serverKiB) subject->serverKiB = server;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const double *values, int count) {
  double *sorted = malloc(sizeof(double) * (size_t)count);
  memcpy(sorted, values, sizeof(double) * (size_t)count);
  qsort(sorted, (size_t)count, sizeof(double), ascending);
  double middle =
      count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
  free(sorted);
  return middle;
}

static double least(const double *values, int count) {
  double result = values[0];
  for (int i = 1; i < count; i++) result = values[i] < result ? values[i] : result;
  return result;
}

// The median of the ratios of the two runs of each round.
static double pairedRatio(const double *a, const double *b, int count) {
  double *ratios = malloc(sizeof(double) * (size_t)count);
  for (int i = 0; i < count; i++) ratios[i] = a[i] / b[i];
  double middle = median(ratios, count);
  free(ratios);
  return middle;
}

static void printTimes(const struct Case *cases, int count, int runs) {
  double first = median(cases[0].seconds, runs);
  for (int i = 0; i < count; i++) {
    double middle = median(cases[i].seconds, runs);
    printf("  %-22s median %8.3f ms   least %8.3f ms", cases[i].label, middle * 1e3,
           least(cases[i].seconds, runs) * 1e3);
    if (i > 0) {
      printf("   %s takes %.2fx (paired %.2fx)", cases[0].label, first / middle,
             pairedRatio(cases[0].seconds, cases[i].seconds, runs));
    }
    printf("\n");
  }
}

static void printRates(const struct Case *cases, int count, int runs, double bytes) {
  const struct Case *base = NULL;
  for (int i = 0; i < count; i++) {
    if (cases[i].base) base = &cases[i];
  }
  for (int i = 0; i < count; i++) {
    double middle = median(cases[i].seconds, runs);
    printf("  %-22s %7.0f MiB/s   peak MiB: reader %4ld, server %4ld", cases[i].label,
           bytes / 1048576 / middle, cases[i].programKiB / 1024, cases[i].serverKiB / 1024);
    if (base && base != &cases[i]) {
      printf("   %.2fx the rate of %s (paired %.2fx)", median(base->seconds, runs) / middle,
             base->label, pairedRatio(base->seconds, cases[i].seconds, runs));
    }
    printf("\n");
  }
}

int main(int argc, char **argv) {
  const char *title = "";
  int runs = 0, count = 0;
  double bytes = 0;
  struct Case cases[maximumCases] = {0};
  struct Case *current = NULL;

  for (int i = 1; i < argc; i++) {
    const char *word = argv[i];
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    bool takesValue = true;
    if (!strcmp(word, "base") && current) {
      current->base = true;
      takesValue = false;
    } else if (!strcmp(word, "alone") && current) {
      current->alone = true;
      takesValue = false;
    } else if (!value) {
      fail("arguments", word);
    } else if (!strcmp(word, "title")) {
      title = value;
    } else if (!strcmp(word, "runs")) {
      runs = atoi(value);
    } else if (!strcmp(word, "bytes")) {
      bytes = atof(value);
    } else if (!strcmp(word, "case") && count < maximumCases) {
      current = &cases[count++];
      current->label = value;
    } else if (!strcmp(word, "setup") && current) {
      current->setup = value;
    } else if (!strcmp(word, "from") && current) {
      current->input = value;
    } else if (!strcmp(word, "into") && current) {
      current->output = value;
    } else if (!strcmp(word, "run") && current) {
      current->arguments = &argv[++i];
      while (i < argc && strcmp(argv[i], "end")) i++;
      if (i == argc) fail("arguments", "run without end");
      argv[i] = NULL;
      current = NULL;
      takesValue = false;
    } else {
      fail("arguments", word);
    }
    if (takesValue) i++;
  }
  if (runs < 1 || count < 1) fail("arguments", "runs and a case are needed");

  struct sigaction action = {.sa_handler = onAlarm};
  sigaction(SIGALRM, &action, NULL);
  prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
  for (int i = 0; i < count; i++) {
    if (!cases[i].arguments) fail("case without run", cases[i].label);
    cases[i].seconds = calloc((size_t)runs, sizeof(double));
  }

  for (int round = bytes > 0 ? -1 : -warmUps; round < runs; round++) {
    // Every other round goes backwards, so that no case always follows the same one.
    for (int i = 0; i < count; i++) runCase(&cases[round % 2 ? count - 1 - i : i], round);
  }

  printf("%s (n = %d)\n", title, runs);
  if (bytes > 0) {
    printRates(cases, count, runs, bytes);
  } else {
    printTimes(cases, count, runs);
  }
  return 0;
}
