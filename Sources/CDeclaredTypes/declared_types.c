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

#include "declared_types_tables.h"

#define COUNT(table) (sizeof table / sizeof table[0])

const struct cdeclaredtypes_tables cdeclaredtypes_tables = {
// Hashes are made of words as they lie in memory, so those of the tables hold for one byte order.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  .text_count = TEXT_COUNT,
#endif
  .type_count = COUNT(table_types),
  .parent_count = COUNT(table_parents),
  .name_count = COUNT(table_names),
  .pattern_count = COUNT(table_patterns),
  .slot_count = COUNT(table_slots),
  .column_count = COUNT(table_columns),
  .bit_count = COUNT(table_bits),
  .words_per_type = WORDS_PER_TYPE,
  .types = table_types,
  .parents = table_parents,
  .names = table_names,
  .patterns = table_patterns,
  .slots = table_slots,
  .columns = table_columns,
  .bits = table_bits,
};
