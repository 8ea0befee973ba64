// The command line, for the Swift runtime.
//
// The runtime has no way to be given argc and argv, so a static initializer of its own opens
// /proc/self/maps, parses it to find the stack and walks that, before main and in every program,
// whether it has arguments or not: a fifteenth of what `clipview --version` takes as a whole. Two C
// functions hide behind it. Defined here, they are taken instead of the archive's member, and its
// initializer goes with it. A runtime that needs more from that member makes the link fail with
// duplicate symbols: then this file goes, at no cost but that time.

// glibc hands constructors what main gets.
static char **values;
static int count;

__attribute__((constructor)) static void note_arguments(int argc, char **argv) {
  values = argv;
  count = argc;
}

char **_swift_stdlib_getUnsafeArgvArgc(int *out_count) {
  *out_count = count;
  return values;
}

void _swift_stdlib_overrideUnsafeArgvArgc(char **argv, int argc) {
  values = argv;
  count = argc;
}
