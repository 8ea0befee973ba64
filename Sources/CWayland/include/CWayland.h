// libwayland-client. The release link has it as an archive; any other build loads it when a Wayland display is
// opened and not before: programs on X11 alone do not pay for it, and where it is missing everything else still
// works. The functions stand for those of libwayland with the same name behind their prefix; call cwayland_load
// first.
#ifndef CWAYLAND_H
#define CWAYLAND_H

#include <stdint.h>
#include <wayland-util.h>

struct wl_display;
struct wl_proxy;

// Sees to it that the library is there; 0 where it is missing or too old. What it has to say goes nowhere:
// errors are told by the calls.
int cwayland_load(void);

// Takes the socket over, whatever comes of it; null where memory is short.
struct wl_display *cwayland_display_connect_to_fd(int socket);
void cwayland_display_disconnect(struct wl_display *display);
int cwayland_display_dispatch_pending(struct wl_display *display);
int cwayland_display_prepare_read(struct wl_display *display);
int cwayland_display_read_events(struct wl_display *display);
void cwayland_display_cancel_read(struct wl_display *display);
int cwayland_display_flush(struct wl_display *display);
// The error that ended the connection, 0 as long as it lives.
int cwayland_display_get_error(struct wl_display *display);
// What the server found fault with, where the error is EPROTO.
uint32_t cwayland_display_get_protocol_error(struct wl_display *display,
                                             const struct wl_interface **interface, uint32_t *id);

struct wl_proxy *cwayland_proxy_marshal_array_flags(struct wl_proxy *proxy, uint32_t opcode,
                                                    const struct wl_interface *interface,
                                                    uint32_t version, uint32_t flags,
                                                    union wl_argument *arguments);
int cwayland_proxy_add_dispatcher(struct wl_proxy *proxy, wl_dispatcher_func_t dispatcher,
                                  const void *implementation);
void cwayland_proxy_destroy(struct wl_proxy *proxy);
// Objects in arguments are the beginnings of proxies, and a display is a proxy itself: libwayland
// promises both, and Swift sees all three as the same opaque pointer.

#endif
