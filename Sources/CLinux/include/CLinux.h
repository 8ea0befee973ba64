// What Swift's Glibc module does not offer: calls behind _GNU_SOURCE, variadic ones, and fork.
// Every function is prefixed clinux_ and says why it exists. All return -1 with errno set on
// failure, as the calls they stand for.
#ifndef CLINUX_H
#define CLINUX_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// epoll: <sys/epoll.h> is not part of the Glibc module. Events are passed in a struct of our own,
// since epoll_event is packed and holds a union, which Swift reads awkwardly.
struct clinux_epoll_event {
  uint32_t events;
  uint64_t token;
};
extern const uint32_t clinux_EPOLLIN, clinux_EPOLLOUT, clinux_EPOLLERR, clinux_EPOLLHUP;
int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int fd);
// Waits with nanosecond precision; a negative timeout waits for ever.
int clinux_epoll_wait(int epoll, struct clinux_epoll_event *events, int capacity,
                      int64_t timeout_nanoseconds);

// eventfd: <sys/eventfd.h> is not part of the Glibc module. For two threads to wake each other: what
// was signalled, however often, is there until it is read; reading one that blocks waits for that.
int clinux_eventfd(int is_blocking);
int clinux_eventfd_signal(int fd);
int clinux_eventfd_read(int fd);

// timerfd: <sys/timerfd.h> is not in the Glibc module. A timer on CLOCK_BOOTTIME, which goes on while the
// machine sleeps, so it is due when that wakes; set to a moment of that clock, 0 for never.
int clinux_boot_timer(void);
int clinux_boot_timer_set(int fd, int64_t nanoseconds);

// SO_PEERCRED's struct ucred is behind _GNU_SOURCE: the process that made the other end of a socket, 0
// where that is not known.
pid_t clinux_peer_process(int socket);

// signalfd, pipe2 and memfd_create are not in the Glibc module.
int clinux_signalfd(const int *signals, size_t count);
// The number of the next signal waiting at a signalfd, 0 when there is none.
int clinux_signalfd_read(int fd);
int clinux_pipe(int ends[2]);
// RLIMIT_NOFILE, whose type differs from one C library to the next; 0 where it cannot be told.
int clinux_descriptor_limit(void);
// F_GETPIPE_SZ and F_SETPIPE_SZ are behind _GNU_SOURCE. Never makes a pipe smaller.
int clinux_enlarge_pipe(int fd, int size);
// From a file to a pipe without a copy of ours; <sys/sendfile.h> is not in the Glibc module.
ssize_t clinux_send_file(int out, int in, off_t offset, size_t count);
// A memory file that may be sealed, closed on exec.
int clinux_memfd_create(const char *name);

// open and fcntl are variadic in C; so is ioctl, which is asked for the columns of a terminal, 0 where
// it cannot tell. Why not Swift's functions for them: SystemIO/CLibrary.swift.
int clinux_open(const char *path, int flags, mode_t mode);
int clinux_fcntl(int fd, int command, int argument);
int clinux_terminal_columns(int fd);
char **clinux_environment(void);
// An unnamed file in the directory, or -1 with EOPNOTSUPP where the file system has none.
int clinux_open_unnamed(const char *directory, mode_t mode);
// Gives an unnamed file its name; fails with EEXIST when the name is taken.
int clinux_link_unnamed(int fd, const char *path);
// readdir's next name, valid until the next call; null at the end. struct dirent is as long as its longest
// name in C's eyes and in Swift's, who copies all of it: but the system hands out as much as the name needs.
const char *clinux_next_name(DIR *directory);
// renameat2 is behind _GNU_SOURCE: swaps what two names stand for, in one step.
int clinux_exchange(const char *one, const char *other);

// mremap is variadic in C. MREMAP_MAYMOVE is always given.
void *clinux_mremap(void *address, size_t old_size, size_t new_size);

// MADV_POPULATE_WRITE is younger than the Glibc module: has the system give all pages of a part of memory
// at once. Where it does not know how (before Linux 5.14) they come as they are touched.
void clinux_populate(void *address, size_t size);
// The same with large pages, where the system has any.
void clinux_populate_large(void *address, size_t size);

// prctl is variadic in C. No core is dumped from now on, nor from children of this process, and
// other processes of the same user can neither trace it nor read its memory.
int clinux_forbid_dumps(void);
int clinux_are_dumps_allowed(void);

// fork is marked unavailable in Swift. Only for a process with one thread.
pid_t clinux_fork(void);
// sh -c for a command: input, the caller's output and error streams and no other descriptor; no
// signal blocked, SIGPIPE and SIGXFSZ as they are by default. 0, or the number of the error. posix_spawn would do
// but for closing what is inherited, which Swift's Glibc module does not offer.
int clinux_spawn_shell(const char *command, char *const environment[], int input, pid_t *child);
// SIG_IGN and SIG_DFL are casts in C.
void clinux_ignore_signal(int signal);
void clinux_reset_signal(int signal);
// How a child ended, without waiting for it: 0 while it runs.
pid_t clinux_reap(pid_t child, int *status);
// Whether a signal is ignored, as nohup has it.
int clinux_is_ignored(int signal);
// From now on an interrupt, a termination or a hang-up, unless it is ignored, is handed on to the
// child of clinux_spawn_shell that runs, and ends this process with 128 and its number, wherever it
// is just then. A handler, not a signalfd: a call that waits for a peer must not hold it up.
int clinux_end_on_signals(void);
// Ends the process with this status and message when it is not called again in time; 0 calls it
// off; without a message, with those of the last call. For waits inside of a C library that has no
// deadline of its own.
int clinux_set_watchdog(int64_t nanoseconds, const char *message, int status);
// Starts the time of a watchdog that is set anew; nothing where none is.
int clinux_restart_watchdog(void);
// Stops the time of a watchdog that is set, until it is started anew: while something else is waited for.
int clinux_pause_watchdog(void);
// Output that counts only as a whole is being written: to the end of a regular file by clinux_write_output, or none
// (-1), and a file of this name that is to go, or NULL. Until clinux_end_output an interrupt, a termination, a
// hang-up, a quit and the watchdog take it back before they end the process. One at a time.
int clinux_begin_output(int descriptor, const char *name);
ssize_t clinux_write_output(const void *bytes, size_t count);
// Takes back what was written so far; -1 where it cannot be (EBUSY: others have written to the file meanwhile).
int clinux_take_back_output(void);
void clinux_end_output(void);
// Whether a file may be cut off by its attributes, which an append-only one may not.
int clinux_may_shrink(int fd);
// close_range is not in the Glibc module: closes first...last.
int clinux_close_range(unsigned first, unsigned last);

// Local stream sockets: struct sockaddr_un holds its path in an array that Swift reads awkwardly.
// Fails with ENAMETOOLONG where the path does not fit. What comes from here never blocks and is
// closed on exec.
// Where more wait to be taken in than the listener has room for, it is waited for so long: EAGAIN then.
int clinux_unix_connect(const char *path, int64_t timeout_microseconds);
// Bound and listening; the file is made with the permissions 0600, whatever the umask.
int clinux_unix_listen(const char *path, int backlog);
// One datagram to a local address; a leading @ stands for the NUL of an abstract one.
int clinux_unix_send_datagram(const char *path, const void *bytes, size_t count);
// accept4 is behind _GNU_SOURCE.
int clinux_unix_accept(int listener);
// Whether it is a local stream socket that listens.
int clinux_is_unix_listener(int fd);
// Who is at the other end, by SO_PEERCRED, whose struct ucred is behind _GNU_SOURCE.
int clinux_peer(int fd, uid_t *user, pid_t *process);
// sendmsg and recvmsg with one descriptor beside the bytes at most: the control messages are built
// with macros. Neither waits. A send without a descriptor is told so by -1.
ssize_t clinux_send(int fd, const void *bytes, size_t count, int descriptor);
// Descriptors beyond the first are closed. -1 in *descriptor where none came.
ssize_t clinux_receive(int fd, void *buffer, size_t capacity, int *descriptor);
// F_ADD_SEALS and F_GET_SEALS are behind _GNU_SOURCE. Sealed: never to be written, grown or shrunk.
int clinux_seal(int fd);
int clinux_is_sealed(int fd);
// Swift knows flock as a struct only. Exclusive, without waiting.
int clinux_lock(int fd);
// The functions of libm that the release link has of its own, under these names in any other build.
double clinux_ceil(double x), clinux_floor(double x), clinux_trunc(double x), clinux_round(double x),
    clinux_rint(double x), clinux_nearbyint(double x);
float clinux_ceilf(float x), clinux_floorf(float x), clinux_truncf(float x), clinux_roundf(float x),
    clinux_rintf(float x), clinux_nearbyintf(float x);

// malloc_trim is not in the Glibc module: gives back to the system what was freed.
void clinux_give_back_freed_memory(void);

// Has malloc keep up to 16 MiB of what is freed: for large buffers that come and go, each of which
// would else be taken from the system anew, page by page.
void clinux_keep_freed_memory(void);

#endif
