"""A small ext-data-control-v1 server, independent of clipview: libwayland-server and the tables that come
with pywayland. One seat, both selections, any number of clients.

    XDG_RUNTIME_DIR=DIR python3 ext_server.py    prints the name of its socket, serves until it is killed

pywayland 0.4.19 reads the arguments of requests as a client would, so that is done here.
"""

import os
import signal

from pywayland import ffi, lib
from pywayland.protocol.ext_data_control_v1 import (
    ExtDataControlDeviceV1,
    ExtDataControlManagerV1,
    ExtDataControlOfferV1,
    ExtDataControlSourceV1,
)
from pywayland.protocol.wayland import WlSeat
from pywayland.protocol_core import ArgumentType, Message
from pywayland.server import Display


def arguments_of_request(self, arguments):
    """New objects as their numbers, others as addresses, 0 for none."""
    values = []
    for index, argument in enumerate(self.arguments):
        value = arguments[index]
        kind = argument.argument_type
        if kind == ArgumentType.NewId:
            values.append(value.n)
        elif kind == ArgumentType.Object:
            values.append(int(ffi.cast("uintptr_t", value.o)))
        elif kind == ArgumentType.String:
            values.append(ffi.string(value.s))
        elif kind == ArgumentType.FileDescriptor:
            values.append(value.h)
        else:
            values.append(value.u)
    return values


Message.c_to_arguments = arguments_of_request


class Object:
    """An object of a client. The handles that C has point into `alive`."""

    alive = {}

    def __init__(self, interface, client, version, identifier, requests, gone=None):
        self.use(interface.resource_class(client, version, identifier), requests, gone)

    @classmethod
    def bound(cls, resource, requests):
        self = cls.__new__(cls)
        self.use(resource, requests, None)
        return self

    def use(self, resource, requests, gone):
        self.resource = resource
        self.address = int(ffi.cast("uintptr_t", resource._ptr))
        self.client = lib.wl_resource_get_client(resource._ptr)
        Object.alive[self.address] = self
        for name, function in requests.items():
            resource.dispatcher[name] = lambda _, *values, f=function: f(*values)
        if "destroy" in resource.dispatcher._names and "destroy" not in requests:
            resource.dispatcher["destroy"] = lambda _: resource.destroy()

        def ended(_):
            Object.alive.pop(self.address, None)
            if gone:
                gone()

        resource.dispatcher.destructor = ended
        handle = resource._handle
        lib.wl_resource_set_dispatcher(
            resource._ptr, lib.dispatcher_func, handle, handle, lib.resource_destroy_func
        )

    @property
    def is_alive(self):
        return Object.alive.get(self.address) is self

    def post(self, opcode, *values):
        arguments = ffi.new("union wl_argument []", max(1, len(values)))
        kept = []
        for index, value in enumerate(values):
            if value is None:
                arguments[index].o = ffi.NULL
            elif isinstance(value, Object):
                arguments[index].o = ffi.cast("struct wl_object *", value.address)
            elif isinstance(value, bytes):
                kept.append(ffi.new("char []", value))
                arguments[index].s = kept[-1]
            else:
                arguments[index].u = value
        lib.wl_resource_post_event_array(
            ffi.cast("struct wl_resource *", self.address), opcode, arguments
        )


SEND, CANCELLED = 0, 1
DATA_OFFER, SELECTION, PRIMARY_SELECTION = 0, 1, 3
OFFER = 0


class Selections:
    def __init__(self):
        self.types = {}
        self.devices = []
        self.owners = {SELECTION: None, PRIMARY_SELECTION: None}

    def create_source(self, manager, identifier):
        types = []
        source = Object(
            ExtDataControlSourceV1, manager.client, 1, identifier,
            {"offer": types.append}, lambda: self.forget(source),
        )
        self.types[source] = types

    def forget(self, source):
        self.types.pop(source, None)
        for which, owner in self.owners.items():
            if owner is source:
                self.own(which, None)

    def create_device(self, manager, identifier, _seat):
        device = Object(
            ExtDataControlDeviceV1, manager.client, 1, identifier,
            {
                "set_selection": lambda s: self.own(SELECTION, Object.alive.get(s)),
                "set_primary_selection": lambda s: self.own(
                    PRIMARY_SELECTION, Object.alive.get(s)
                ),
            },
            lambda: self.devices.remove(device),
        )
        self.devices.append(device)
        for which in self.owners:
            self.tell(device, which)

    def own(self, which, source):
        old, self.owners[which] = self.owners[which], source
        if old is not None and old is not source and old.is_alive:
            old.post(CANCELLED)
        for device in self.devices:
            self.tell(device, which)

    def tell(self, device, which):
        source = self.owners[which]
        if source is None:
            return device.post(which, None)

        def receive(name, descriptor):
            if self.owners[which] is source and source.is_alive:
                source.post(SEND, name, descriptor)
            os.close(descriptor)

        offer = Object(ExtDataControlOfferV1, device.client, 1, 0, {"receive": receive})
        device.post(DATA_OFFER, offer)
        for name in self.types[source]:
            offer.post(OFFER, name)
        device.post(which, offer)


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    display = Display()
    selections = Selections()

    def bind_manager(resource):
        manager = Object.bound(
            resource,
            {
                "create_data_source": lambda i: selections.create_source(manager, i),
                "get_data_device": lambda i, s: selections.create_device(manager, i, s),
            },
        )

    def bind_seat(resource):
        seat = Object.bound(resource, {})
        seat.post(0, 0)
        if resource.version >= 2:
            seat.post(1, b"seat0")

    manager = ExtDataControlManagerV1.global_class(display, version=1)
    manager.bind_func = bind_manager
    seat = WlSeat.global_class(display, version=5)
    seat.bind_func = bind_seat
    print(display.add_socket(), flush=True)
    display.run()


main()
