// What Swift's standard library refers to of libm, in the release link only.
//
// A paste calls next to nothing of it, and opening libm at each start takes a tenth of what a program that does nothing
// takes (Documentation/adr/0011). What is called every day stands here, since sets and dictionaries round up when
// they grow; the rest looks the library's own function up when it is first called, which clipview and clipd never do.
// The release link takes no other functions of libm: one that is missing here is told by the linker as an
// undefined symbol, and gets a line here; CLIPVIEW_SHARED_LIBM=1 links libm as usual until then.
#include "CLinux.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// MARK: Rounding

// In any other build under names of their own, for a test to hold them against the library's.
#ifdef CLIPVIEW_LIBM_WHEN_NEEDED
#define OURS(name) name
#else
#define OURS(name) clinux_##name
#endif

// From here on, and for infinities and NaN, a number is its own whole part. The comparisons are false for NaN.
#define ROUNDING(type, suffix, limit)                                                              \
  type OURS(trunc##suffix)(type x) {                                                               \
    if (!(x > -(limit) && x < (limit))) return x;                                                  \
    return __builtin_copysign##suffix((type)(int64_t)x, x);                                        \
  }                                                                                                \
  type OURS(floor##suffix)(type x) {                                                               \
    type whole = OURS(trunc##suffix)(x);                                                           \
    return whole > x ? whole - 1 : whole;                                                          \
  }                                                                                                \
  type OURS(ceil##suffix)(type x) {                                                                \
    type whole = OURS(trunc##suffix)(x);                                                           \
    return whole < x ? __builtin_copysign##suffix(whole + 1, x) : whole;                           \
  }                                                                                                \
  /* To the nearest, a half away from zero. */                                                     \
  type OURS(round##suffix)(type x) {                                                               \
    type whole = OURS(trunc##suffix)(x);                                                           \
    type rest = __builtin_fabs##suffix(x - whole);                                                 \
    return rest >= (type)0.5 ? whole + __builtin_copysign##suffix(1, x) : whole;                   \
  }                                                                                                \
  /* To the nearest, a half to the even one: what adding and taking away the limit does. */        \
  type OURS(rint##suffix)(type x) {                                                                \
    if (!(x > -(limit) && x < (limit))) return x;                                                  \
    volatile type moved = __builtin_fabs##suffix(x) + (limit);                                     \
    return __builtin_copysign##suffix(moved - (limit), x);                                         \
  }                                                                                                \
  type OURS(nearbyint##suffix)(type x) { return OURS(rint##suffix)(x); }
ROUNDING(double, , 0x1p52)
ROUNDING(float, f, 0x1p23f)

// MARK: Everything else

#ifdef CLIPVIEW_LIBM_WHEN_NEEDED

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

ONE(long double, ceill)
ONE(long double, floorl)
ONE(long double, nearbyintl)
ONE(long double, rintl)
ONE(long double, roundl)
ONE(long double, truncl)
EACH_TYPE(ONE, cos)
EACH_TYPE(ONE, exp)
EACH_TYPE(ONE, exp2)
EACH_TYPE(THREE, fma)
EACH_TYPE(TWO, fmod)
EACH_TYPE(ONE, log)
EACH_TYPE(ONE, log10)
EACH_TYPE(ONE, log2)
EACH_TYPE(TWO, remainder)
EACH_TYPE(ONE, sin)
EACH_TYPE(ONE, sqrt)

#endif
