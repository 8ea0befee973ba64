#include "CWayland.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <wayland-client-core.h>

// Each function that is used, as it is called in the library.
#define FUNCTIONS(each)                                                                            \
  each(wl_log_set_handler_client) each(wl_display_connect_to_fd) each(wl_display_disconnect)       \
  each(wl_display_dispatch_pending) each(wl_display_prepare_read) each(wl_display_read_events)     \
  each(wl_display_cancel_read) each(wl_display_flush) each(wl_display_get_error)                   \
  each(wl_display_get_protocol_error) each(wl_proxy_marshal_array_flags)                           \
  each(wl_proxy_add_dispatcher) each(wl_proxy_destroy)

static struct {
#define POINTER(name) __typeof__(&name) name;
  FUNCTIONS(POINTER)
} library;

static void say_nothing(const char *format, va_list arguments) {
  (void)format;
  (void)arguments;
}

#ifdef CLIPVIEW_STATIC_WAYLAND
// The release link has an archive of it (Scripts/static-libwayland).
#define FIND(name) library.name = name;
#else
#define FIND(name)                                                                                 \
  library.name = (__typeof__(library.name))dlsym(handle, #name);                                   \
  if (!library.name) return 0;
#endif

int cwayland_load(void) {
  static int is_loaded;
  if (is_loaded) return 1;
#ifndef CLIPVIEW_STATIC_WAYLAND
  // Never closed: the tables of proxies that live to the end of the process are in it. Lazy: of what it and
  // libffi refer to a paste calls a part, and looking up the rest is a twentieth of all that it executes.
  void *handle = dlopen("libwayland-client.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!handle) return 0;
#endif
  FUNCTIONS(FIND)
  library.wl_log_set_handler_client(say_nothing);
  is_loaded = 1;
  return 1;
}

struct wl_display *cwayland_display_connect_to_fd(int socket) {
  return library.wl_display_connect_to_fd(socket);
}

void cwayland_display_disconnect(struct wl_display *display) {
  library.wl_display_disconnect(display);
}

int cwayland_display_dispatch_pending(struct wl_display *display) {
  return library.wl_display_dispatch_pending(display);
}

int cwayland_display_prepare_read(struct wl_display *display) {
  return library.wl_display_prepare_read(display);
}

int cwayland_display_read_events(struct wl_display *display) {
  return library.wl_display_read_events(display);
}

void cwayland_display_cancel_read(struct wl_display *display) {
  library.wl_display_cancel_read(display);
}

int cwayland_display_flush(struct wl_display *display) { return library.wl_display_flush(display); }

int cwayland_display_get_error(struct wl_display *display) {
  return library.wl_display_get_error(display);
}

uint32_t cwayland_display_get_protocol_error(struct wl_display *display,
                                             const struct wl_interface **interface, uint32_t *id) {
  return library.wl_display_get_protocol_error(display, interface, id);
}

struct wl_proxy *cwayland_proxy_marshal_array_flags(struct wl_proxy *proxy, uint32_t opcode,
                                                    const struct wl_interface *interface,
                                                    uint32_t version, uint32_t flags,
                                                    union wl_argument *arguments) {
  return library.wl_proxy_marshal_array_flags(proxy, opcode, interface, version, flags, arguments);
}

int cwayland_proxy_add_dispatcher(struct wl_proxy *proxy, wl_dispatcher_func_t dispatcher,
                                  const void *implementation) {
  return library.wl_proxy_add_dispatcher(proxy, dispatcher, implementation, NULL);
}

void cwayland_proxy_destroy(struct wl_proxy *proxy) { library.wl_proxy_destroy(proxy); }
