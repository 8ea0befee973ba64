// libFuzzer as a library (clang's FuzzerInterface.h): calls back with one input after the other.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*callback)(const uint8_t *data, size_t size));
