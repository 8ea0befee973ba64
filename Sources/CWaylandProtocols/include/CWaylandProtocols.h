// The tables of the Wayland protocols: what each request and event is called, and what it carries.
// Made from descriptions/*.xml by Scripts/generate-wayland-protocols.
//
// libwayland brings tables of the core protocol along. These are used all the same, so that nothing
// refers to libwayland before it is loaded; it tells interfaces by their names, not by their addresses.
#ifndef CWAYLANDPROTOCOLS_H
#define CWAYLANDPROTOCOLS_H

#include <wayland-util.h>

extern const struct wl_interface wl_registry_interface, wl_callback_interface;
extern const struct wl_interface wl_seat_interface, wl_keyboard_interface;
extern const struct wl_interface wl_compositor_interface, wl_surface_interface;
extern const struct wl_interface wl_shm_interface, wl_shm_pool_interface, wl_buffer_interface;
extern const struct wl_interface wl_data_device_manager_interface, wl_data_device_interface,
    wl_data_source_interface, wl_data_offer_interface;

extern const struct wl_interface ext_data_control_manager_v1_interface,
    ext_data_control_device_v1_interface, ext_data_control_source_v1_interface,
    ext_data_control_offer_v1_interface;
extern const struct wl_interface zwlr_data_control_manager_v1_interface,
    zwlr_data_control_device_v1_interface, zwlr_data_control_source_v1_interface,
    zwlr_data_control_offer_v1_interface;

extern const struct wl_interface xdg_wm_base_interface, xdg_surface_interface,
    xdg_toplevel_interface;
extern const struct wl_interface xdg_activation_v1_interface;
extern const struct wl_interface zwp_primary_selection_device_manager_v1_interface,
    zwp_primary_selection_device_v1_interface, zwp_primary_selection_source_v1_interface,
    zwp_primary_selection_offer_v1_interface;

// The interfaces by number, in the order of Interface in Interfaces.swift: Swift may not take the address
// of a constant.
enum cwayland_interface {
  CWAYLAND_REGISTRY,
  CWAYLAND_CALLBACK,
  CWAYLAND_SEAT,
  CWAYLAND_KEYBOARD,
  CWAYLAND_COMPOSITOR,
  CWAYLAND_SURFACE,
  CWAYLAND_SHM,
  CWAYLAND_SHM_POOL,
  CWAYLAND_BUFFER,
  CWAYLAND_DATA_DEVICE_MANAGER,
  CWAYLAND_DATA_DEVICE,
  CWAYLAND_DATA_SOURCE,
  CWAYLAND_DATA_OFFER,
  CWAYLAND_EXT_MANAGER,
  CWAYLAND_EXT_DEVICE,
  CWAYLAND_EXT_SOURCE,
  CWAYLAND_EXT_OFFER,
  CWAYLAND_WLR_MANAGER,
  CWAYLAND_WLR_DEVICE,
  CWAYLAND_WLR_SOURCE,
  CWAYLAND_WLR_OFFER,
  CWAYLAND_PRIMARY_MANAGER,
  CWAYLAND_PRIMARY_DEVICE,
  CWAYLAND_PRIMARY_SOURCE,
  CWAYLAND_PRIMARY_OFFER,
  CWAYLAND_WM_BASE,
  CWAYLAND_XDG_SURFACE,
  CWAYLAND_TOPLEVEL,
  CWAYLAND_ACTIVATION,
};
const struct wl_interface *cwayland_interface(enum cwayland_interface which);

#endif
