// md4c, the parser of Markdown, loaded when it is first needed: `clipview paste` must not pay for
// it, and Debian has no archive of it that could be linked statically.
#ifndef CMD4C_H
#define CMD4C_H

#include <md4c.h>

// What cmd4c_parse gives where the library is not installed; md4c itself gives 0, or -1 for a lack of
// memory, or what a callback gave.
enum { CMD4C_NOT_INSTALLED = -2 };

// md_parse of libmd4c.so.0.
int cmd4c_parse(const char *text, unsigned size, const MD_PARSER *parser, void *context);

#endif
