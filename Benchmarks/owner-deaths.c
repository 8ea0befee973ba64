// Kills the owner of a clipboard again and again, and prints how long it took until somebody else owned it,
// as a third client sees it: what a program had is to be there again within a moment of its death.
//
//   owner-deaths x11 DEATHS DISPLAY
//   owner-deaths wayland DEATHS WAYLAND-DISPLAY
//
// For each death: a process takes the clipboard with five forms, and answers until all of them have been
// read. Then it is killed (SIGKILL), and the time counts from the call that kills it until the server or
// the compositor tells a connection that has nothing to do with either that the clipboard is owned again. What
// is owned then is read back, one form, and compared. That nobody takes it from a living owner is
// looked at, too.

#define _GNU_SOURCE
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/extensions/Xfixes.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wayland-client-core.h>

#include "CWaylandProtocols.h"

#define PROGRAM "owner-deaths"
#include "owners.h"

enum { formCount = 5, patience = 10 };

static const char *const forms[formCount] = {"UTF8_STRING", "text/html", "text/rtf", "x/owner-deaths-1",
                                             "x/owner-deaths-2"};

static void describe(char *content, size_t size, const char *form, long number) {
  snprintf(content, size, "%s of death %ld", form, number);
}

// MARK: The owner, a process of its own

// Tells the parent that a form was given away.
static void tell(int pipe, int form) {
  unsigned char byte = (unsigned char)form;
  if (write(pipe, &byte, 1) != 1) _exit(1);
}

static void ownOnX11(const char *name, long number, int pipe) {
  Display *display = XOpenDisplay(name);
  if (!display) fail("cannot open the display", name);
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  Atom atoms[formCount], clipboard = XInternAtom(display, "CLIPBOARD", False);
  for (int form = 0; form < formCount; form++) atoms[form] = XInternAtom(display, forms[form], False);
  Atom targets = XInternAtom(display, "TARGETS", False);
  XSelectInput(display, window, PropertyChangeMask);
  XChangeProperty(display, window, targets, XA_STRING, 8, PropModeAppend, NULL, 0);
  XEvent event;
  do XNextEvent(display, &event);
  while (event.type != PropertyNotify);
  XSetSelectionOwner(display, clipboard, window, event.xproperty.time);
  for (;;) {
    XNextEvent(display, &event);
    if (event.type != SelectionRequest) continue;
    const XSelectionRequestEvent *request = &event.xselectionrequest;
    XSelectionEvent notice = {.type = SelectionNotify,
                              .requestor = request->requestor,
                              .selection = request->selection,
                              .target = request->target,
                              .property = None,
                              .time = request->time};
    int given = -1;
    if (request->target == targets) {
      notice.property = request->property;
      XChangeProperty(display, request->requestor, request->property, XA_ATOM, 32, PropModeReplace,
                      (unsigned char *)atoms, formCount);
    }
    for (int form = 0; form < formCount; form++) {
      if (request->target != atoms[form]) continue;
      char content[64];
      describe(content, sizeof content, forms[form], number);
      notice.property = request->property;
      XChangeProperty(display, request->requestor, request->property, atoms[form], 8, PropModeReplace,
                      (unsigned char *)content, (int)strlen(content));
      given = form;
    }
    XSendEvent(display, request->requestor, False, 0, (XEvent *)&notice);
    XSync(display, False);
    if (given >= 0) tell(pipe, given);
  }
}

// When the clipboard lost its owner last, and when it got one, as it was told.
struct Changes {
  double lost, owned;
  long count;
};

static void note(struct Changes *changes, bool isOwned) {
  changes->count++;
  if (isOwned) {
    changes->owned = now();
  } else {
    changes->lost = now();
  }
}

// What both ends have of a Wayland display.
struct Wayland {
  struct wl_display *display;
  struct wl_proxy *manager, *seat, *device;
  // The owner's.
  long number;
  int pipe;
  // The observer's: what is offered at this moment; nothing where nobody owns the clipboard.
  struct wl_proxy *offer;
  struct Changes changes;
};

static int onRegistry(const void *data, void *target, uint32_t opcode, const struct wl_message *message,
                      union wl_argument *arguments) {
  (void)message;
  struct Wayland *wayland = (struct Wayland *)data;
  if (opcode != 0) return 0;
  const struct wl_interface *interface = NULL;
  if (strcmp(arguments[1].s, zwlr_data_control_manager_v1_interface.name) == 0) {
    interface = &zwlr_data_control_manager_v1_interface;
  } else if (strcmp(arguments[1].s, wl_seat_interface.name) == 0 && !wayland->seat) {
    interface = &wl_seat_interface;
  } else {
    return 0;
  }
  struct wl_proxy *proxy = wl_proxy_marshal_flags(target, 0, interface, 1, 0, arguments[0].u, interface->name,
                                                  1, NULL);
  if (interface == &wl_seat_interface) {
    wayland->seat = proxy;
  } else {
    wayland->manager = proxy;
  }
  return 0;
}

static int ignore(const void *data, void *target, uint32_t opcode, const struct wl_message *message,
                  union wl_argument *arguments) {
  (void)data, (void)target, (void)opcode, (void)message, (void)arguments;
  return 0;
}

static int onDevice(const void *data, void *target, uint32_t opcode, const struct wl_message *message,
                    union wl_argument *arguments) {
  (void)target, (void)message;
  struct Wayland *wayland = (struct Wayland *)data;
  if (opcode == 0) {
    // data_offer: the proxy was made by libwayland.
    wl_proxy_add_dispatcher((struct wl_proxy *)arguments[0].o, ignore, wayland, NULL);
  } else if (opcode == 1) {
    // selection
    if (wayland->offer) {
      wl_proxy_marshal_flags(wayland->offer, 1, NULL, 1, WL_MARSHAL_FLAG_DESTROY);
    }
    wayland->offer = (struct wl_proxy *)arguments[0].o;
    note(&wayland->changes, wayland->offer != NULL);
  }
  return 0;
}

static int onSource(const void *data, void *target, uint32_t opcode, const struct wl_message *message,
                    union wl_argument *arguments) {
  (void)target, (void)message;
  const struct Wayland *wayland = data;
  if (opcode != 0) return 0;
  char content[64];
  describe(content, sizeof content, arguments[0].s, wayland->number);
  if (write(arguments[1].h, content, strlen(content)) < 0) _exit(1);
  close(arguments[1].h);
  for (int form = 0; form < formCount; form++) {
    if (strcmp(arguments[0].s, forms[form]) == 0) tell(wayland->pipe, form);
  }
  return 0;
}

static void openWayland(struct Wayland *wayland, const char *name) {
  wayland->display = wl_display_connect(name);
  if (!wayland->display) fail("cannot open the display", name);
  struct wl_proxy *registry = wl_proxy_marshal_flags((struct wl_proxy *)wayland->display, 1,
                                                     &wl_registry_interface, 1, 0, NULL);
  wl_proxy_add_dispatcher(registry, onRegistry, wayland, NULL);
  if (wl_display_roundtrip(wayland->display) < 0 || !wayland->manager || !wayland->seat) {
    fail("no wlr-data-control", name);
  }
  wl_proxy_add_dispatcher(wayland->seat, ignore, wayland, NULL);
  wayland->device = wl_proxy_marshal_flags(wayland->manager, 1, &zwlr_data_control_device_v1_interface, 1, 0,
                                           NULL, wayland->seat);
}

static void ownOnWayland(const char *name, long number, int pipe) {
  struct Wayland wayland = {.number = number, .pipe = pipe};
  openWayland(&wayland, name);
  wl_proxy_add_dispatcher(wayland.device, onDevice, &wayland, NULL);
  struct wl_proxy *source = wl_proxy_marshal_flags(wayland.manager, 0, &zwlr_data_control_source_v1_interface,
                                                   1, 0, NULL);
  wl_proxy_add_dispatcher(source, onSource, &wayland, NULL);
  for (int form = 0; form < formCount; form++) wl_proxy_marshal_flags(source, 0, NULL, 1, 0, forms[form]);
  wl_proxy_marshal_flags(wayland.device, 0, NULL, 1, 0, source);
  while (wl_display_dispatch(wayland.display) >= 0) {
  }
  _exit(1);
}

// Starts an owner; what it tells comes by the descriptor.
static pid_t startOwner(bool isX11, const char *name, long number, int *told) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("no pipe", "");
  pid_t owner = fork();
  if (owner < 0) fail("no process", "");
  if (owner == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    if (isX11) {
      ownOnX11(name, number, ends[1]);
    } else {
      ownOnWayland(name, number, ends[1]);
    }
  }
  close(ends[1]);
  *told = ends[0];
  return owner;
}

// MARK: The one who looks on

struct Observer {
  bool isX11;
  Display *display;
  Window window;
  Atom clipboard, form, property;
  int fixes;
  struct Changes changes;
  struct Wayland wayland;
};

static struct Changes *changesOf(struct Observer *observer) {
  return observer->isX11 ? &observer->changes : &observer->wayland.changes;
}

static void openObserver(struct Observer *observer, const char *name) {
  if (!observer->isX11) {
    openWayland(&observer->wayland, name);
    wl_proxy_add_dispatcher(observer->wayland.device, onDevice, &observer->wayland, NULL);
    wl_display_roundtrip(observer->wayland.display);
    return;
  }
  observer->display = XOpenDisplay(name);
  if (!observer->display) fail("cannot open the display", name);
  int errors;
  if (!XFixesQueryExtension(observer->display, &observer->fixes, &errors)) fail("no XFixes", name);
  observer->window = XCreateSimpleWindow(observer->display, DefaultRootWindow(observer->display), 0, 0, 1, 1, 0, 0, 0);
  observer->clipboard = XInternAtom(observer->display, "CLIPBOARD", False);
  observer->form = XInternAtom(observer->display, forms[formCount - 1], False);
  observer->property = XInternAtom(observer->display, "OWNER_DEATHS", False);
  XFixesSelectSelectionInput(observer->display, observer->window, observer->clipboard,
                             XFixesSetSelectionOwnerNotifyMask | XFixesSelectionWindowDestroyNotifyMask |
                                 XFixesSelectionClientCloseNotifyMask);
  XSync(observer->display, False);
}

// Takes in what has come; waits for it until the time given.
static void look(struct Observer *observer, double until) {
  double left = until - now();
  int wait = left > 0 ? (int)left + 1 : 0;
  if (observer->isX11) {
    struct pollfd file = {.fd = ConnectionNumber(observer->display), .events = POLLIN};
    if (!XPending(observer->display)) poll(&file, 1, wait);
    while (XPending(observer->display)) {
      XEvent event;
      XNextEvent(observer->display, &event);
      if (event.type != observer->fixes + XFixesSelectionNotify) continue;
      const XFixesSelectionNotifyEvent *notice = (XFixesSelectionNotifyEvent *)&event;
      note(&observer->changes, notice->subtype == XFixesSetSelectionOwnerNotify && notice->owner != None);
    }
    return;
  }
  struct wl_display *display = observer->wayland.display;
  struct pollfd file = {.fd = wl_display_get_fd(display), .events = POLLIN};
  while (wl_display_prepare_read(display) != 0) wl_display_dispatch_pending(display);
  wl_display_flush(display);
  if (poll(&file, 1, wait) > 0) {
    if (wl_display_read_events(display) < 0) fail("the compositor is gone", "");
  } else {
    wl_display_cancel_read(display);
  }
  wl_display_dispatch_pending(display);
}

// Whether what is owned now is what the dead one had, by one form.
static bool isTheSame(struct Observer *observer, long number) {
  char expected[64], content[64] = "";
  describe(expected, sizeof expected, forms[formCount - 1], number);
  double end = now() + patience * 1e3;
  if (!observer->isX11) {
    int ends[2];
    if (!observer->wayland.offer || pipe2(ends, O_CLOEXEC) != 0) return false;
    wl_proxy_marshal_flags(observer->wayland.offer, 0, NULL, 1, 0, forms[formCount - 1], ends[1]);
    wl_display_flush(observer->wayland.display);
    close(ends[1]);
    size_t count = 0;
    ssize_t part;
    while (count < sizeof content - 1 && (part = read(ends[0], content + count, sizeof content - 1 - count)) > 0) {
      count += (size_t)part;
    }
    close(ends[0]);
    return strcmp(content, expected) == 0;
  }
  XConvertSelection(observer->display, observer->clipboard, observer->form, observer->property, observer->window,
                    CurrentTime);
  XEvent event;
  while (!XCheckTypedWindowEvent(observer->display, observer->window, SelectionNotify, &event)) {
    struct pollfd file = {.fd = ConnectionNumber(observer->display), .events = POLLIN};
    XFlush(observer->display);
    if (now() > end) return false;
    poll(&file, 1, 10);
  }
  Atom type;
  int format;
  unsigned long count, rest;
  unsigned char *bytes = NULL;
  XGetWindowProperty(observer->display, observer->window, observer->property, 0, 16, True, AnyPropertyType, &type,
                     &format, &count, &rest, &bytes);
  bool isSame = bytes && count == strlen(expected) && memcmp(bytes, expected, count) == 0;
  if (bytes) XFree(bytes);
  return isSame;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void print(const char *what, double *times, long count) {
  qsort(times, (size_t)count, sizeof(double), compare);
  printf("  %-44s median %7.3f ms   99 %% %7.3f ms   at most %7.3f ms\n", what, times[count / 2],
         times[count * 99 / 100], times[count - 1]);
}

int main(int count, char **arguments) {
  if (count != 4) fail("usage", "owner-deaths x11|wayland DEATHS DISPLAY");
  struct Observer observer = {.isX11 = strcmp(arguments[1], "x11") == 0};
  long deaths = atol(arguments[2]), mismatches = 0, early = 0;
  if (deaths < 1) fail("usage", "at least one death");
  double *whole = calloc((size_t)deaths, sizeof(double)), *since = calloc((size_t)deaths, sizeof(double));
  if (!whole || !since) fail("no memory", "");
  openObserver(&observer, arguments[3]);
  for (long number = 0; number < deaths; number++) {
    int told;
    pid_t owner = startOwner(observer.isX11, arguments[3], number, &told);
    // Until all of it was read.
    bool given[formCount] = {false};
    for (int missing = formCount; missing > 0;) {
      unsigned char form;
      struct pollfd file = {.fd = told, .events = POLLIN};
      if (poll(&file, 1, patience * 1000) != 1 || read(told, &form, 1) != 1) fail("nobody reads", forms[0]);
      if (form < formCount && !given[form]) missing--;
      if (form < formCount) given[form] = true;
    }
    // What was given last is taken in, and what came before the death is known.
    double rest = now() + 50;
    while (now() < rest) look(&observer, rest);
    struct Changes *changes = changesOf(&observer);
    long before = changes->count;
    changes->owned = 0;
    double start = now();
    kill(owner, SIGKILL);
    while (changes->owned == 0) {
      look(&observer, start + patience * 1e3);
      if (now() > start + patience * 1e3) fail("nobody owns it", forms[0]);
    }
    // One that it has no owner, one that it has: whatever came before was a living one's.
    if (changes->count != before + 2) early++;
    whole[number] = changes->owned - start;
    since[number] = changes->owned - changes->lost;
    if (!isTheSame(&observer, number)) mismatches++;
    waitpid(owner, NULL, 0);
    close(told);
  }
  print("from SIGKILL until it is owned", whole, deaths);
  print("from the notice that it has no owner until then", since, deaths);
  printf("  taken from a living owner: %ld, mismatches: %ld\n", early, mismatches);
  return early == 0 && mismatches == 0 ? 0 : 1;
}
