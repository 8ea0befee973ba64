// Changes the owner of CLIPBOARD again and again, with a reader on each change, on several displays in
// turn, and prints how long the reader waited: the same machine, the same moment, with a clipboard
// service and without one.
//
//   owner-changes CHANGES PAUSE-MS DISPLAY...
//
// On each display, for each change: the owner takes the selection with content that was never there
// before, the reader asks for it as UTF8_STRING as soon as the server says that the selection is owned, and
// the time counts from the request to take it until the content is in the reader's hands. What is
// read is compared. PAUSE-MS is waited behind each change, so that a service gets to its own reads; requests are
// answered meanwhile.
//
// Without a second display it is one long row of changes, whose figures stand for themselves.

#define _GNU_SOURCE
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROGRAM "owner-changes"
#include "owners.h"

enum { maximumDisplays = 4, patience = 10 };

struct Peer {
  const char *name;
  Display *owner;
  Display *reader;
  Window ownerWindow;
  Window readerWindow;
  Atom clipboard, utf8, targets, timestamp, property;
  Time acquired;
  char content[64];
  double *milliseconds;
};

static long mismatches;

static void openPeer(struct Peer *peer, const char *name) {
  peer->name = name;
  peer->owner = XOpenDisplay(name);
  peer->reader = XOpenDisplay(name);
  if (!peer->owner || !peer->reader) fail("cannot open the display", name);
  peer->ownerWindow = XCreateSimpleWindow(peer->owner, DefaultRootWindow(peer->owner), 0, 0, 1, 1, 0, 0, 0);
  peer->readerWindow = XCreateSimpleWindow(peer->reader, DefaultRootWindow(peer->reader), 0, 0, 1, 1, 0, 0, 0);
  XSelectInput(peer->owner, peer->ownerWindow, PropertyChangeMask);
  peer->clipboard = XInternAtom(peer->owner, "CLIPBOARD", False);
  peer->utf8 = XInternAtom(peer->owner, "UTF8_STRING", False);
  peer->targets = XInternAtom(peer->owner, "TARGETS", False);
  peer->timestamp = XInternAtom(peer->owner, "TIMESTAMP", False);
  peer->property = XInternAtom(peer->owner, "OWNER_CHANGES", False);
}

static void answer(struct Peer *peer, const XSelectionRequestEvent *request) {
  XSelectionEvent notice = {.type = SelectionNotify,
                            .requestor = request->requestor,
                            .selection = request->selection,
                            .target = request->target,
                            .property = request->property ? request->property : request->target,
                            .time = request->time};
  if (request->target == peer->targets) {
    Atom names[] = {peer->targets, peer->timestamp, peer->utf8};
    XChangeProperty(peer->owner, request->requestor, notice.property, XA_ATOM, 32, PropModeReplace,
                    (unsigned char *)names, 3);
  } else if (request->target == peer->timestamp) {
    long time = (long)peer->acquired;
    XChangeProperty(peer->owner, request->requestor, notice.property, XA_INTEGER, 32, PropModeReplace,
                    (unsigned char *)&time, 1);
  } else if (request->target == peer->utf8) {
    XChangeProperty(peer->owner, request->requestor, notice.property, peer->utf8, 8, PropModeReplace,
                    (unsigned char *)peer->content, (int)strlen(peer->content));
  } else {
    notice.property = None;
  }
  XSendEvent(peer->owner, request->requestor, False, 0, (XEvent *)&notice);
  XFlush(peer->owner);
}

// The time of the server, as ICCCM wants it for an ownership.
static Time serverTime(struct Peer *peer) {
  XChangeProperty(peer->owner, peer->ownerWindow, peer->property, XA_STRING, 8, PropModeAppend, NULL, 0);
  XFlush(peer->owner);
  for (;;) {
    XEvent event;
    XNextEvent(peer->owner, &event);
    if (event.type == PropertyNotify) return event.xproperty.time;
    if (event.type == SelectionRequest) answer(peer, &event.xselectionrequest);
  }
}

static void serve(struct Peer *peer) {
  while (XPending(peer->owner)) {
    XEvent event;
    XNextEvent(peer->owner, &event);
    if (event.type == SelectionRequest) answer(peer, &event.xselectionrequest);
  }
}

// Waits for events of either connection.
static void wait(struct Peer *peer, double until) {
  if (XEventsQueued(peer->owner, QueuedAfterFlush) || XEventsQueued(peer->reader, QueuedAfterFlush)) return;
  struct pollfd files[] = {{.fd = ConnectionNumber(peer->owner), .events = POLLIN},
                           {.fd = ConnectionNumber(peer->reader), .events = POLLIN}};
  double left = until - now();
  if (left > 0) poll(files, 2, (int)left + 1);
}

static void readBack(struct Peer *peer) {
  XConvertSelection(peer->reader, peer->clipboard, peer->utf8, peer->property, peer->readerWindow, CurrentTime);
  XFlush(peer->reader);
  double end = now() + patience * 1e3;
  for (;;) {
    serve(peer);
    while (XPending(peer->reader)) {
      XEvent event;
      XNextEvent(peer->reader, &event);
      if (event.type != SelectionNotify) continue;
      Atom type = None;
      int format = 0;
      unsigned long count = 0, rest = 0;
      unsigned char *bytes = NULL;
      if (event.xselection.property != None) {
        XGetWindowProperty(peer->reader, peer->readerWindow, peer->property, 0, 64, True, AnyPropertyType, &type,
                           &format, &count, &rest, &bytes);
      }
      if (!bytes || count != strlen(peer->content) || memcmp(bytes, peer->content, count) != 0) mismatches++;
      if (bytes) XFree(bytes);
      return;
    }
    if (now() > end) fail("no answer came", peer->name);
    wait(peer, end);
  }
}

static double change(struct Peer *peer, long number) {
  Time time = serverTime(peer);
  double start = now();
  snprintf(peer->content, sizeof peer->content, "content %ld of %s", number, peer->name);
  peer->acquired = time;
  XSetSelectionOwner(peer->owner, peer->clipboard, peer->ownerWindow, time);
  if (XGetSelectionOwner(peer->owner, peer->clipboard) != peer->ownerWindow) mismatches++;
  readBack(peer);
  return now() - start;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

int main(int count, char **arguments) {
  if (count < 4 || count - 3 > maximumDisplays) fail("usage", "owner-changes CHANGES PAUSE-MS DISPLAY...");
  long changes = atol(arguments[1]);
  double pause = atof(arguments[2]);
  int peerCount = count - 3;
  struct Peer peers[maximumDisplays];
  memset(peers, 0, sizeof peers);
  for (int index = 0; index < peerCount; index++) {
    openPeer(&peers[index], arguments[index + 3]);
    peers[index].milliseconds = calloc((size_t)changes, sizeof(double));
    if (!peers[index].milliseconds) fail("no memory", "");
  }
  for (long number = 0; number < changes; number++) {
    for (int index = 0; index < peerCount; index++) {
      peers[index].milliseconds[number] = change(&peers[index], number);
    }
    double end = now() + pause;
    while (pause > 0 && now() < end) {
      for (int index = 0; index < peerCount; index++) {
        wait(&peers[index], now() + (end - now()) / peerCount);
        serve(&peers[index]);
      }
    }
  }
  double medians[maximumDisplays], largest[maximumDisplays];
  for (int index = 0; index < peerCount; index++) {
    double *times = peers[index].milliseconds;
    qsort(times, (size_t)changes, sizeof(double), compare);
    medians[index] = times[changes / 2];
    largest[index] = times[changes - 1];
    printf("  %-10s median %7.3f ms   99 %% %7.3f ms   at most %7.3f ms\n", peers[index].name, medians[index],
           times[changes * 99 / 100], largest[index]);
  }
  if (peerCount == 2) {
    printf("  added: median %.3f ms, largest %.3f ms\n", medians[0] - medians[1], largest[0] - largest[1]);
  }
  printf("  mismatches: %ld\n", mismatches);
  return mismatches == 0 ? 0 : 1;
}
