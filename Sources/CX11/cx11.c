#include "CX11.h"

#include <X11/Xlibint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <X11/XKBlib.h>

// A ring per thread: a connection is read by one thread only, and so are its errors. It grows, since
// hundreds of readers may go away at once and each error ends a transfer of its own; beyond a limit
// that no honest set of peers reaches, old records give way to new ones.
enum { initial_capacity = 128, maximum_capacity = 1 << 15 };
struct record {
  Display *display;
  struct cx11_error error;
};
static _Thread_local struct record initial_ring[initial_capacity];
static _Thread_local struct record *ring;
static _Thread_local unsigned capacity, head, count;

static void grow(void) {
  if (ring == NULL) {
    ring = initial_ring;
    capacity = initial_capacity;
    return;
  }
  if (capacity >= maximum_capacity) return;
  struct record *larger = malloc(2 * capacity * sizeof *larger);
  if (larger == NULL) return;
  for (unsigned i = 0; i < count; i++) larger[i] = ring[(head + i) % capacity];
  if (ring != initial_ring) free(ring);
  ring = larger;
  capacity *= 2;
  head = 0;
}

static int record_error(Display *display, XErrorEvent *event) {
  if (count == capacity) grow();
  if (count == capacity) {
    head = (head + 1) % capacity;
    count--;
  }
  unsigned slot = (head + count++) % capacity;
  ring[slot].display = display;
  ring[slot].error.serial = event->serial;
  ring[slot].error.resource = event->resourceid;
  ring[slot].error.code = event->error_code;
  ring[slot].error.request = event->request_code;
  return 0;
}

int cx11_take_error(Display *display, struct cx11_error *error) {
  for (unsigned i = 0; i < count; i++) {
    unsigned slot = (head + i) % capacity;
    if (ring[slot].display != display) continue;
    *error = ring[slot].error;
    // Close the gap: records of other displays stay in order.
    for (unsigned j = i; j > 0; j--)
      ring[(head + j) % capacity] = ring[(head + j - 1) % capacity];
    head = (head + 1) % capacity;
    count--;
    return 1;
  }
  return 0;
}

int cx11_is_bad_window(const struct cx11_error *error) { return error->code == BadWindow; }

// Where to go when the server is lost before there is a display to note it for.
static _Thread_local jmp_buf *opening;

static int ignore_loss(Display *display) {
  (void)display;
  if (opening != NULL) longjmp(*opening, 1);
  return 0;
}

Display *cx11_open_display(const char *name) {
  jmp_buf failed;
  if (setjmp(failed) != 0) {
    // What XOpenDisplay had allocated by then is lost; it happens once in a connection's life.
    opening = NULL;
    return NULL;
  }
  opening = &failed;
  // Keyboards are nothing to us: two round trips of each start less.
  XkbIgnoreExtension(True);
  Display *display = XOpenDisplay(name);
  opening = NULL;
  return display;
}

static void note_loss(Display *display, void *lost) {
  (void)display;
  *(int *)lost = 1;
}

void cx11_install_handlers(void) {
  XSetErrorHandler(record_error);
  XSetIOErrorHandler(ignore_loss);
}

void cx11_watch_loss(Display *display, int *lost) {
  XSetIOErrorExitHandler(display, note_loss, lost);
}

int cx11_connection_number(Display *display) { return ConnectionNumber(display); }
Window cx11_root_window(Display *display) { return DefaultRootWindow(display); }
unsigned long cx11_next_request(Display *display) { return NextRequest(display); }
unsigned long cx11_last_known_request_processed(Display *display) {
  return LastKnownRequestProcessed(display);
}

unsigned cx11_resource_mask(Display *display) { return (unsigned)display->resource_mask; }

size_t cx11_maximum_request_size(Display *display) {
  long words = XExtendedMaxRequestSize(display);
  if (words == 0) words = XMaxRequestSize(display);
  return (size_t)words * 4;
}

int cx11_intern_atoms(Display *display, const unsigned char *names, size_t count,
                      unsigned int *atoms) {
  char *few[64], **pointers = few;
  Atom few_atoms[64], *longs = few_atoms;
  if (count > 64) {
    pointers = malloc(count * sizeof *pointers);
    longs = malloc(count * sizeof *longs);
  }
  int done = pointers != NULL && longs != NULL;
  if (done) {
    char *name = (char *)names;
    for (size_t i = 0; i < count; i++) {
      pointers[i] = name;
      longs[i] = None;
      name += strlen(name) + 1;
    }
    // False also where only some could not be had, which stay 0.
    done = XInternAtoms(display, pointers, (int)count, False, longs);
    for (size_t i = 0; i < count; i++) atoms[i] = (unsigned int)longs[i];
  }
  if (pointers != few) free(pointers);
  if (longs != few_atoms) free(longs);
  return done;
}

int cx11_change_property_32(Display *display, Window window, Atom property, Atom type,
                             const unsigned int *values, int count) {
  unsigned long few[64], *longs = few;
  if (count > 64) {
    longs = malloc((size_t)count * sizeof *longs);
    if (longs == NULL) return 0;
  }
  for (int i = 0; i < count; i++) longs[i] = values[i];
  XChangeProperty(display, window, property, type, 32, PropModeReplace,
                  (const unsigned char *)longs, count);
  if (longs != few) free(longs);
  return 1;
}

void cx11_narrow_longs(const void *longs, unsigned int *values, size_t count) {
  const unsigned long *source = longs;
  for (size_t i = 0; i < count; i++) values[i] = (unsigned int)source[i];
}
