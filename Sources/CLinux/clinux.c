#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const uint32_t clinux_EPOLLIN = EPOLLIN, clinux_EPOLLOUT = EPOLLOUT, clinux_EPOLLERR = EPOLLERR,
               clinux_EPOLLHUP = EPOLLHUP;

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int fd, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return epoll_ctl(epoll, operation, fd, &event);
}

int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_ADD, fd, events, token);
}

int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_MOD, fd, events, token);
}

int clinux_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int clinux_epoll_wait(int epoll, struct clinux_epoll_event *events, int capacity,
                      int64_t timeout_nanoseconds) {
  struct epoll_event raw[64];
  if (capacity > 64) capacity = 64;
  struct timespec timeout = {.tv_sec = timeout_nanoseconds / 1000000000,
                             .tv_nsec = timeout_nanoseconds % 1000000000};
  int count =
      epoll_pwait2(epoll, raw, capacity, timeout_nanoseconds < 0 ? NULL : &timeout, NULL);
  if (count < 0 && errno == ENOSYS) {
    // Kernels before 5.11: milliseconds, rounded up so that a timer is never early.
    int milliseconds = -1;
    if (timeout_nanoseconds >= 0) {
      int64_t rounded = (timeout_nanoseconds + 999999) / 1000000;
      milliseconds = rounded > 1000000000 ? 1000000000 : (int)rounded;
    }
    count = epoll_wait(epoll, raw, capacity, milliseconds);
  }
  for (int i = 0; i < count; i++) {
    events[i].events = raw[i].events;
    events[i].token = raw[i].data.u64;
  }
  return count;
}

int clinux_eventfd(int is_blocking) {
  return eventfd(0, EFD_CLOEXEC | (is_blocking ? 0 : EFD_NONBLOCK));
}

int clinux_boot_timer(void) {
  return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

int clinux_boot_timer_set(int fd, int64_t nanoseconds) {
  // What it told already is not there any more once it is set anew.
  struct itimerspec when = {
      .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
}

int clinux_eventfd_signal(int fd) {
  uint64_t one = 1;
  // At its limit, which 64 bits do not reach, it would say so; it is signalled all the same then.
  return write(fd, &one, sizeof one) == sizeof one ? 0 : -1;
}

int clinux_eventfd_read(int fd) {
  uint64_t count;
  ssize_t size;
  do size = read(fd, &count, sizeof count);
  while (size < 0 && errno == EINTR);
  return size == sizeof count ? 0 : -1;
}

int clinux_signalfd(const int *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
  if (sigprocmask(SIG_BLOCK, &set, NULL) < 0) return -1;
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int clinux_signalfd_read(int fd) {
  struct signalfd_siginfo info;
  ssize_t count = read(fd, &info, sizeof info);
  if (count == sizeof info) return (int)info.ssi_signo;
  return count < 0 && errno == EAGAIN ? 0 : -1;
}

pid_t clinux_peer_process(int socket) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clinux_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return limit.rlim_cur > INT_MAX ? INT_MAX : (int)limit.rlim_cur;
}

int clinux_enlarge_pipe(int fd, int size) {
  return fcntl(fd, F_GETPIPE_SZ) >= size ? 0 : fcntl(fd, F_SETPIPE_SZ, size);
}

ssize_t clinux_send_file(int out, int in, off_t offset, size_t count) {
  return sendfile(out, in, &offset, count);
}

int clinux_memfd_create(const char *name) {
  return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

int clinux_open_unnamed(const char *directory, mode_t mode) {
  int fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  // Kernels and file systems that do not know the flag see a directory opened for writing.
  if (fd < 0 && (errno == EISDIR || errno == EINVAL)) errno = EOPNOTSUPP;
  return fd;
}

const char *clinux_next_name(DIR *directory) {
  struct dirent *entry = readdir(directory);
  return entry ? entry->d_name : NULL;
}

int clinux_fcntl(int fd, int command, int argument) { return fcntl(fd, command, argument); }

int clinux_terminal_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

char **clinux_environment(void) { return environ; }

void clinux_ignore_signal(int number) { signal(number, SIG_IGN); }

void clinux_reset_signal(int number) { signal(number, SIG_DFL); }

int clinux_link_unnamed(int fd, const char *path) {
  char name[32];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int clinux_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
static int populate(void *address, size_t size) {
  return madvise(address, size, MADV_POPULATE_WRITE);
}

void clinux_populate(void *address, size_t size) { (void)populate(address, size); }

void clinux_populate_large(void *address, size_t size) {
  int error = madvise(address, size, MADV_HUGEPAGE);
  // Else they would come when they are touched, and nobody would see how long that takes.
  if (populate(address, size) < 0 && !error) madvise(address, size, MADV_NOHUGEPAGE);
}

void *clinux_mremap(void *address, size_t old_size, size_t new_size) {
  return mremap(address, old_size, new_size, MREMAP_MAYMOVE);
}

int clinux_are_dumps_allowed(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

int clinux_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void clinux_keep_freed_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 16 << 20);
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
}

pid_t clinux_fork(void) { return fork(); }

// The child that signals are handed on to. Taken off before it is reaped: its number may be somebody
// else's after that.
static volatile pid_t running_child;

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ending_signal_count = sizeof ending_signals / sizeof *ending_signals };

static void end_with_child(int signal) {
  pid_t child = running_child;
  if (child > 0) kill(child, signal);
  _exit(128 + signal);
}

int clinux_is_ignored(int signal) {
  struct sigaction action;
  return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int clinux_end_on_signals(void) {
  struct sigaction action = {.sa_handler = end_with_child};
  for (int i = 0; i < ending_signal_count; i++) {
    if (clinux_is_ignored(ending_signals[i])) continue;
    if (sigaction(ending_signals[i], &action, NULL) < 0) return -1;
  }
  return 0;
}

int clinux_spawn_shell(const char *command, char *const environment[], int input, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, ignored, ending, before;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  sigemptyset(&none);
  sigemptyset(&ignored);
  sigaddset(&ignored, SIGPIPE);
  sigaddset(&ignored, SIGXFSZ);
  error = posix_spawn_file_actions_adddup2(&actions, input, 0);
  if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (error == 0) error = posix_spawnattr_setsigmask(&attributes, &none);
  if (error == 0) error = posix_spawnattr_setsigdefault(&attributes, &ignored);
  if (error == 0)
    error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (error == 0) {
    char *const arguments[] = {"sh", "-c", "--", (char *)command, NULL};
    // No signal may come between the start and the note of it.
    sigemptyset(&ending);
    for (int i = 0; i < ending_signal_count; i++) sigaddset(&ending, ending_signals[i]);
    sigprocmask(SIG_BLOCK, &ending, &before);
    error = posix_spawn(child, "/bin/sh", &actions, &attributes, arguments, environment);
    if (error == 0) running_child = *child;
    sigprocmask(SIG_SETMASK, &before, NULL);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

pid_t clinux_reap(pid_t child, int *status) {
  siginfo_t info = {0};
  // Looked at first and left as it is: once it is reaped its number is free.
  if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) < 0) return -1;
  if (info.si_pid == 0) return 0;
  running_child = 0;
  return waitpid(child, status, 0);
}

static char watchdog_message[512];
static volatile int watchdog_status;
static int64_t watchdog_nanoseconds;

static void watchdog_bites(int signal) {
  (void)signal;
  clinux_take_back_output();
  size_t length = 0;
  while (length < sizeof watchdog_message && watchdog_message[length] != 0) length++;
  if (write(2, watchdog_message, length) < 0) { /* nobody to tell */
  }
  _exit(watchdog_status);
}

static int start_watchdog(void) {
  struct itimerval timer = {
      .it_value = {.tv_sec = watchdog_nanoseconds / 1000000000,
                   .tv_usec = watchdog_nanoseconds % 1000000000 / 1000}};
  return setitimer(ITIMER_REAL, &timer, NULL);
}

int clinux_set_watchdog(int64_t nanoseconds, const char *message, int status) {
  if (nanoseconds > 0 && message != NULL) {
    snprintf(watchdog_message, sizeof watchdog_message, "%s", message);
    watchdog_status = status;
    struct sigaction action = {.sa_handler = watchdog_bites};
    sigfillset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) < 0) return -1;
  }
  watchdog_nanoseconds = nanoseconds;
  return start_watchdog();
}

int clinux_restart_watchdog(void) {
  return watchdog_nanoseconds == 0 ? 0 : start_watchdog();
}

int clinux_pause_watchdog(void) {
  struct itimerval none = {0};
  return watchdog_nanoseconds == 0 ? 0 : setitimer(ITIMER_REAL, &none, NULL);
}

int clinux_close_range(unsigned first, unsigned last) {
  if (close_range(first, last, 0) == 0) return 0;
  if (errno != ENOSYS) return -1;
  // Kernels before 5.9.
  long limit = sysconf(_SC_OPEN_MAX);
  for (unsigned fd = first; fd <= last && (long)fd < limit; fd++) close((int)fd);
  return 0;
}

static int set_address(struct sockaddr_un *address, socklen_t *size, const char *path) {
  size_t length = strlen(path);
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(address->sun_path, path, length);
  *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
  if (path[0] == '@') {
    // An abstract name is as long as it is said to be: no closing NUL.
    address->sun_path[0] = 0;
    *size -= 1;
  }
  return 0;
}

static int close_after_failure(int fd) {
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

static int unix_socket(int type) {
  return socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int clinux_unix_connect(const char *path, int64_t timeout_microseconds) {
  struct sockaddr_un address;
  socklen_t size;
  if (set_address(&address, &size, path) < 0) return -1;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  // What bounds a send bounds the wait for a place in the listener's queue.
  struct timeval timeout = {.tv_sec = timeout_microseconds / 1000000,
                            .tv_usec = timeout_microseconds % 1000000};
  if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) < 0 ||
      connect(fd, (struct sockaddr *)&address, size) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0)
    return close_after_failure(fd);
  return fd;
}

int clinux_unix_listen(const char *path, int backlog) {
  struct sockaddr_un address;
  socklen_t size;
  if (set_address(&address, &size, path) < 0) return -1;
  int fd = unix_socket(SOCK_STREAM);
  if (fd < 0) return -1;
  // Its file gets the permissions of the socket, less the umask: never more than these, also for the
  // moment until they are set again. Another umask for that moment would be one for all threads.
  if (fchmod(fd, 0600) < 0 || bind(fd, (struct sockaddr *)&address, size) < 0 ||
      (path[0] != '@' && chmod(path, 0600) < 0) || listen(fd, backlog) < 0)
    return close_after_failure(fd);
  return fd;
}

int clinux_unix_send_datagram(const char *path, const void *bytes, size_t count) {
  struct sockaddr_un address;
  socklen_t size;
  if (set_address(&address, &size, path) < 0) return -1;
  int fd = unix_socket(SOCK_DGRAM);
  if (fd < 0) return -1;
  if (sendto(fd, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&address, size) < 0)
    return close_after_failure(fd);
  return close(fd);
}

int clinux_unix_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

static int socket_option(int fd, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(fd, SOL_SOCKET, option, &value, &size) < 0 ? -1 : value;
}

int clinux_is_unix_listener(int fd) {
  return socket_option(fd, SO_DOMAIN) == AF_UNIX && socket_option(fd, SO_TYPE) == SOCK_STREAM &&
         socket_option(fd, SO_ACCEPTCONN) == 1;
}

int clinux_peer(int fd, uid_t *user, pid_t *process) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0) return -1;
  *user = credentials.uid;
  *process = credentials.pid;
  return 0;
}

ssize_t clinux_send(int fd, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control;
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t clinux_receive(int fd, void *buffer, size_t capacity, int *descriptor) {
  struct iovec part = {.iov_base = buffer, .iov_len = capacity};
  // Room for more than one: what does not fit, the kernel takes back; what does, is ours to close.
  union {
    char bytes[CMSG_SPACE(4 * sizeof(int))];
    struct cmsghdr align;
  } control;
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  *descriptor = -1;
  ssize_t count = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count < 0) return -1;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < number; i++) {
      int received;
      memcpy(&received, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
      if (*descriptor < 0)
        *descriptor = received;
      else
        close(received);
    }
  }
  return count;
}

static const int all_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

int clinux_seal(int fd) { return fcntl(fd, F_ADD_SEALS, all_seals); }

int clinux_is_sealed(int fd) {
  int seals = fcntl(fd, F_GET_SEALS);
  int needed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  return seals >= 0 && (seals & needed) == needed;
}

int clinux_lock(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

void clinux_give_back_freed_memory(void) { malloc_trim(0); }
