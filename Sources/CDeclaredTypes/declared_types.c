#include "CDeclaredTypes.h"

// #embed is C23; clang has it as an extension in earlier modes.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpragmas"
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file ends with a line end (a test checks it), so the second begins on a line of its own.
static const unsigned char declared_types[] = {
#embed "../../data/types.tsv"
    ,
#embed "../../data/targets.tsv"
};

#pragma clang diagnostic pop

const unsigned char *const cdeclaredtypes_bytes = declared_types;
const size_t cdeclaredtypes_count = sizeof declared_types;
