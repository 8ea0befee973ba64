#include "CWaylandServer.h"

#include <stdlib.h>

struct visit {
  void (*body)(struct wl_resource *, void *);
  void *data;
};

static enum wl_iterator_result visit_one(struct wl_resource *resource, void *data) {
  struct visit *visit = data;
  visit->body(resource, visit->data);
  return WL_ITERATOR_CONTINUE;
}

void cwayland_each_resource(struct wl_client *client, void (*body)(struct wl_resource *, void *),
                            void *data) {
  struct visit visit = {body, data};
  wl_client_for_each_resource(client, visit_one, &visit);
}

void cwayland_post_error(struct wl_resource *resource, uint32_t code, const char *message) {
  wl_resource_post_error(resource, code, "%s", message);
}

struct gone {
  struct wl_listener listener;
  void (*body)(void *);
  void *data;
};

static void client_is_gone(struct wl_listener *listener, void *client) {
  (void)client;
  struct gone *gone = wl_container_of(listener, gone, listener);
  gone->body(gone->data);
  free(gone);
}

void cwayland_on_client_gone(struct wl_client *client, void (*body)(void *), void *data) {
  struct gone *gone = calloc(1, sizeof *gone);
  if (!gone) abort();
  gone->listener.notify = client_is_gone;
  gone->body = body;
  gone->data = data;
  wl_client_add_destroy_listener(client, &gone->listener);
}

static void say_nothing(const char *format, va_list arguments) {
  (void)format;
  (void)arguments;
}

void cwayland_keep_quiet(void) { wl_log_set_handler_server(say_nothing); }
