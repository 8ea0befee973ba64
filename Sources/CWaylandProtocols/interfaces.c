#include "CWaylandProtocols.h"

const struct wl_interface *cwayland_interface(enum cwayland_interface which) {
  static const struct wl_interface *const interfaces[] = {
      [CWAYLAND_REGISTRY] = &wl_registry_interface,
      [CWAYLAND_CALLBACK] = &wl_callback_interface,
      [CWAYLAND_SEAT] = &wl_seat_interface,
      [CWAYLAND_KEYBOARD] = &wl_keyboard_interface,
      [CWAYLAND_COMPOSITOR] = &wl_compositor_interface,
      [CWAYLAND_SURFACE] = &wl_surface_interface,
      [CWAYLAND_SHM] = &wl_shm_interface,
      [CWAYLAND_SHM_POOL] = &wl_shm_pool_interface,
      [CWAYLAND_BUFFER] = &wl_buffer_interface,
      [CWAYLAND_DATA_DEVICE_MANAGER] = &wl_data_device_manager_interface,
      [CWAYLAND_DATA_DEVICE] = &wl_data_device_interface,
      [CWAYLAND_DATA_SOURCE] = &wl_data_source_interface,
      [CWAYLAND_DATA_OFFER] = &wl_data_offer_interface,
      [CWAYLAND_EXT_MANAGER] = &ext_data_control_manager_v1_interface,
      [CWAYLAND_EXT_DEVICE] = &ext_data_control_device_v1_interface,
      [CWAYLAND_EXT_SOURCE] = &ext_data_control_source_v1_interface,
      [CWAYLAND_EXT_OFFER] = &ext_data_control_offer_v1_interface,
      [CWAYLAND_WLR_MANAGER] = &zwlr_data_control_manager_v1_interface,
      [CWAYLAND_WLR_DEVICE] = &zwlr_data_control_device_v1_interface,
      [CWAYLAND_WLR_SOURCE] = &zwlr_data_control_source_v1_interface,
      [CWAYLAND_WLR_OFFER] = &zwlr_data_control_offer_v1_interface,
      [CWAYLAND_PRIMARY_MANAGER] = &zwp_primary_selection_device_manager_v1_interface,
      [CWAYLAND_PRIMARY_DEVICE] = &zwp_primary_selection_device_v1_interface,
      [CWAYLAND_PRIMARY_SOURCE] = &zwp_primary_selection_source_v1_interface,
      [CWAYLAND_PRIMARY_OFFER] = &zwp_primary_selection_offer_v1_interface,
      [CWAYLAND_WM_BASE] = &xdg_wm_base_interface,
      [CWAYLAND_XDG_SURFACE] = &xdg_surface_interface,
      [CWAYLAND_TOPLEVEL] = &xdg_toplevel_interface,
      [CWAYLAND_ACTIVATION] = &xdg_activation_v1_interface,
  };
  return interfaces[which];
}
