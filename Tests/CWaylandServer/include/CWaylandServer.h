// libwayland-server, for a compositor inside of the tests.
#ifndef CWAYLANDSERVER_H
#define CWAYLANDSERVER_H

#include <wayland-server-core.h>

// Calls body with each resource of the client; Swift cannot spell the iterator's result.
void cwayland_each_resource(struct wl_client *client, void (*body)(struct wl_resource *, void *),
                            void *data);
// wl_resource_post_error is variadic.
void cwayland_post_error(struct wl_resource *resource, uint32_t code, const char *message);
// A listener whose notify is a function with a context: called when the client is gone.
void cwayland_on_client_gone(struct wl_client *client, void (*body)(void *), void *data);
// What the server library has to say goes nowhere: hostile clients are what tests are about.
void cwayland_keep_quiet(void);

#endif
