// Shows ThreadSanitizer what `Synchronization.Mutex` does. In all other builds this file is empty.
//
// The quick path of a Mutex, one compare-and-exchange, is compiled into the module that uses it and
// so is seen. The two functions for a contended one are in the Swift library, which is not
// instrumented: there the kernel hands the futex on, and the sanitizer misses that the unlocking
// thread came before the locking one. Every Mutex that two threads ever wait for then looks like a
// race in what it guards.
//
// These two are defined here over those of the library, call them, and say what happened. The
// address is that of the word which the quick path exchanges, so the order of both paths is one.
// Nothing is hidden: only what a Mutex does order is told, a Mutex at a time. Should a library name
// them differently, they are not called, and the false reports come back.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// Synchronization._MutexHandle._lockSlow(_: UInt32) and _unlockSlow(); `self` is the address.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context)) void *self

typedef __attribute__((swiftcall)) void (*lock_function)(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) void (*unlock_function)(SELF);

// <sanitizer/tsan_interface.h>, which a toolchain need not bring.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

static void *next(_Atomic(void *) *known, const char *name) {
  void *function = *known;
  if (!function) {
    function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    *known = function;
  }
  return function;
}

__attribute__((swiftcall)) void clinux_lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) void clinux_lock_slow(uint32_t thread, SELF) {
  static _Atomic(void *) known;
  ((lock_function)next(&known, LOCK_SLOW))(thread, self);
  __tsan_acquire(self);
}

__attribute__((swiftcall)) void clinux_unlock_slow(SELF) __asm__(UNLOCK_SLOW);
__attribute__((swiftcall)) void clinux_unlock_slow(SELF) {
  static _Atomic(void *) known;
  __tsan_release(self);
  ((unlock_function)next(&known, UNLOCK_SLOW))(self);
}
#endif
#endif
