// Backtraces of crashes, for the Swift runtime: off in the release link.
//
// A static initializer of the runtime looks for a program that prints backtraces, in eight places,
// some of them in the current directory, before main and in every run. Nobody who installs clipview
// has that program, and one found in a current directory should not be run. The record of its
// settings is all that the rest of the runtime knows of it. Defined here, all zero, it says "off", is
// taken instead of the archive's member, and the initializer goes with that. Hidden, so that a
// runtime that is a shared library (debug builds) keeps its own. Should a runtime need more of that
// member, the link fails with duplicate symbols: then this file goes, at no cost but that time.

// As large as the runtime's and some more; whoever reads it looks for values other than zero.
__attribute__((visibility("hidden"))) long _swift_backtraceSettings[32];

// What every program is made to refer to so that the member is linked; nothing asks without it.
__attribute__((visibility("hidden"))) _Bool _swift_backtrace_isThunkFunction(const char *name) {
  (void)name;
  return 0;
}
