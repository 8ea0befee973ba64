#ifndef C_DECLARED_TYPES_H
#define C_DECLARED_TYPES_H

#include <stddef.h>

// The declarations of data/types.tsv and data/targets.tsv, one behind the other.
// They lie in the read-only data of the program: nothing is opened or read at run time.

extern const unsigned char *const cdeclaredtypes_bytes;
extern const size_t cdeclaredtypes_count;

#endif
