// The names of many atoms in one round trip.
//
// XGetAtomNames does that too, but an atom that the server does not have, which a peer may send, makes
// it give each name behind it to the atom before, and note that in Xlib's own table of atoms, so that
// XInternAtom is wrong as well from then on (libX11 1.8). Here a reply goes where its request's
// number says.

#include "CX11.h"

#include <X11/Xlibint.h>

// Xlib's macros want a display named dpy.
struct asked {
  uint64_t first, last;
  char **names;
};

static Bool take_reply(Display *dpy, xReply *reply, char *buffer, int length,
                       XPointer data) {
  struct asked *asked = (struct asked *)data;
  uint64_t number = X_DPY_GET_LAST_REQUEST_READ(dpy);
  if (number < asked->first || number > asked->last) return False;
  // No such atom: taken note of by leaving the name null.
  if (reply->generic.type == X_Error) return True;
  xGetAtomNameReply room, *answer = (xGetAtomNameReply *)_XGetAsyncReply(
                              dpy, (char *)&room, reply, buffer, length, 0, False);
  int total = (int)answer->length << 2;
  char *name = Xmalloc(answer->nameLength + 1);
  if (name != NULL) name[answer->nameLength] = 0;
  // Without memory it is read past.
  _XGetAsyncData(dpy, name, buffer, length, SIZEOF(xGetAtomNameReply),
                 name != NULL ? answer->nameLength : total, total);
  asked->names[number - asked->first] = name;
  return True;
}

void cx11_atom_names(Display *dpy, const unsigned int *atoms, size_t count, char **names) {
  struct asked asked = {.names = names};
  _XAsyncHandler handler = {.handler = take_reply, .data = (XPointer)&asked};
  for (size_t i = 0; i < count; i++) names[i] = NULL;
  if (count == 0) return;

  LockDisplay(dpy);
  asked.first = X_DPY_GET_REQUEST(dpy) + 1;
  asked.last = asked.first + count - 1;
  handler.next = dpy->async_handlers;
  dpy->async_handlers = &handler;
  for (size_t i = 0; i < count; i++) {
    _X_UNUSED xResourceReq *request;
    GetResReq(GetAtomName, atoms[i], request);
  }
  // As XSync does: when this is answered, all of the others are.
  _X_UNUSED xReq *request;
  GetEmptyReq(GetInputFocus, request);
  xGetInputFocusReply reply;
  (void)_XReply(dpy, (xReply *)&reply, 0, xTrue);
  DeqAsyncHandler(dpy, &handler);
  UnlockDisplay(dpy);
  SyncHandle();
}
