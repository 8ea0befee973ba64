#ifndef C_DECLARED_TYPES_H
#define C_DECLARED_TYPES_H

#include <stddef.h>
#include <stdint.h>

// The declarations of data/types.tsv and data/targets.tsv, one behind the other, and the tables that
// look-ups in them use. They lie in the read-only data of the program: nothing is opened, read or made
// at run time, and of the tables only the pages that a look-up touches become memory.

extern const unsigned char *const cdeclaredtypes_bytes;
extern const size_t cdeclaredtypes_count;

// A part of the text.
struct cdeclaredtypes_part {
  uint32_t offset, count;
};

// A part of a table: from `start` on, up to `end`.
struct cdeclaredtypes_span {
  uint32_t start, end;
};

struct cdeclaredtypes_type {
  struct cdeclaredtypes_part identifier, description;
  struct cdeclaredtypes_span parents, tags;
  uint32_t line;
  uint16_t section;
  uint8_t is_public, padding;
};

struct cdeclaredtypes_name {
  struct cdeclaredtypes_part name;
  uint32_t hash, owner, next;
  uint8_t name_space, role, layer, is_preferred;
};

struct cdeclaredtypes_pattern {
  struct cdeclaredtypes_part prefix;
  uint32_t owner;
  uint8_t name_space, role;
  uint16_t padding;
};

// The tables, as Scripts/number-types made them of the text.
struct cdeclaredtypes_tables {
  // How long that text was: where the data were changed since, the tables are out of date, and of no use.
  size_t text_count;
  size_t type_count, parent_count, name_count, pattern_count, slot_count, column_count, bit_count;
  size_t words_per_type;
  const struct cdeclaredtypes_type *types;
  const uint32_t *parents;
  const struct cdeclaredtypes_name *names;
  const struct cdeclaredtypes_pattern *patterns;
  const uint32_t *slots;
  const uint32_t *columns;
  const uint64_t *bits;
};

extern const struct cdeclaredtypes_tables cdeclaredtypes_tables;

#endif
