// Xlib and XFixes, and what Swift cannot say of them itself: macros, and the process-wide error
// handler, which must be a C function that touches nothing but a record.
#ifndef CX11_H
#define CX11_H

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xfixes.h>

// One error that the server reported. The serial says which request it answers.
struct cx11_error {
  unsigned long serial;
  unsigned long resource;
  unsigned char code;
  unsigned char request;
};

// Replaces Xlib's handlers, which end the process: errors are recorded for the thread that reads
// the connection (the one thread that uses it), a lost server only sets the flag of its display.
void cx11_install_handlers(void);
// XOpenDisplay; null also where the server goes away while the connection is being set up, which
// Xlib would end the process for.
Display *cx11_open_display(const char *name);
// Makes `*lost` true when the connection of this display breaks, instead of ending the process.
void cx11_watch_loss(Display *display, int *lost);
// The oldest recorded error of this display; 0 when there is none.
int cx11_take_error(Display *display, struct cx11_error *error);
// Whether it says that the window which is its resource is not there.
int cx11_is_bad_window(const struct cx11_error *error);

// Macros of Xlib as functions.
int cx11_connection_number(Display *display);
Window cx11_root_window(Display *display);
unsigned long cx11_next_request(Display *display);
unsigned long cx11_last_known_request_processed(Display *display);
// The bits of a resource id that its client chose; the others are the client's own.
unsigned cx11_resource_mask(Display *display);
// The longest request the server takes, in bytes.
size_t cx11_maximum_request_size(Display *display);

// Interns names that follow each other, each closed by a NUL, in one round trip. Where that fails, the
// atoms are left as they are (0).
int cx11_intern_atoms(Display *display, const unsigned char *names, size_t count,
                      unsigned int *atoms);

// The names of atoms, in one round trip; null for an atom that the server does not have. Each is to be
// freed with XFree.
void cx11_atom_names(Display *display, const unsigned int *atoms, size_t count, char **names);

// Format-32 properties travel through Xlib as arrays of C long: these two are the only places
// that know it. Both copy 32-bit values; setting fails (0) only for want of memory.
int cx11_change_property_32(Display *display, Window window, Atom property, Atom type,
                             const unsigned int *values, int count);
void cx11_narrow_longs(const void *longs, unsigned int *values, size_t count);

#endif
