internal import CLinux
internal import Glibc

// What Swift's Glibc module defines in Swift, not in C, defined here once more; these names hide those.
//
// That module is one object in its archive: a program that calls any of it is linked with all of it, its
// functions for those of libm included, and opens libm at each start for them. Scripts/build-release
// refuses such a program. Its functions for variadic ones of C (open, fcntl, ioctl) are those of CLinux here.

/// The number of the last call's error, in this thread.
var errno: Int32 { unsafe __errno_location().pointee }

let S_IFMT = mode_t(__S_IFMT)
let S_IFCHR = mode_t(__S_IFCHR)
let S_IFDIR = mode_t(__S_IFDIR)
let S_IFIFO = mode_t(__S_IFIFO)
let S_IFLNK = mode_t(__S_IFLNK)
let S_IFREG = mode_t(__S_IFREG)
let S_IFSOCK = mode_t(__S_IFSOCK)

/// What mmap gives back where it fails: the address of the last byte there could be.
var MAP_FAILED: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(bitPattern: -1) }

/// Our environment: C strings `name=value` up to a null pointer.
var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { unsafe clinux_environment() }
