// The functions of libm that Swift's standard library refers to, in the release link only: each looks the
// library's own up when it is first called.
//
// A paste calls none of them, and opening libm at each start takes a tenth of what a program that does nothing
// takes (Documentation/adr/0011). The release link takes no other functions of libm: one that is missing here is
// told by the linker as an undefined symbol, and gets a line here.
#ifdef CLIPVIEW_LIBM_WHEN_NEEDED

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void *find(const char *name) {
  // Part of glibc, as is libc itself, so it is there; never closed.
  void *library = dlopen("libm.so.6", RTLD_LAZY | RTLD_LOCAL);
  void *function = library ? dlsym(library, name) : NULL;
  if (!function) {
    fprintf(stderr, "libm.so.6, a part of the C library, cannot be loaded: %s\n", dlerror());
    abort();
  }
  return function;
}

// Two threads that come here at once find the same.
#define FORWARD(type, name, parameters, arguments)                                                 \
  type name parameters {                                                                           \
    static type(*_Atomic function) parameters;                                                     \
    if (!function) function = (type(*) parameters)find(#name);                                     \
    return function arguments;                                                                     \
  }
#define ONE(type, name) FORWARD(type, name, (type x), (x))
#define TWO(type, name) FORWARD(type, name, (type x, type y), (x, y))
#define THREE(type, name) FORWARD(type, name, (type x, type y, type z), (x, y, z))
#define EACH_TYPE(take, name) take(double, name) take(float, name##f) take(long double, name##l)

EACH_TYPE(ONE, ceil)
EACH_TYPE(ONE, cos)
EACH_TYPE(ONE, exp)
EACH_TYPE(ONE, exp2)
EACH_TYPE(ONE, floor)
EACH_TYPE(THREE, fma)
EACH_TYPE(TWO, fmod)
EACH_TYPE(ONE, log)
EACH_TYPE(ONE, log10)
EACH_TYPE(ONE, log2)
EACH_TYPE(ONE, nearbyint)
EACH_TYPE(TWO, remainder)
EACH_TYPE(ONE, rint)
EACH_TYPE(ONE, round)
EACH_TYPE(ONE, sin)
EACH_TYPE(ONE, sqrt)
EACH_TYPE(ONE, trunc)

#endif
