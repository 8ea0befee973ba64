#include "CMd4c.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

typedef int (*parse_function)(const MD_CHAR *, MD_SIZE, const MD_PARSER *, void *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static parse_function parse;

// The library stays loaded: it is small, and Markdown is seldom converted only once.
static void load(void) {
  void *library = dlopen("libmd4c.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) parse = (parse_function)dlsym(library, "md_parse");
}

int cmd4c_parse(const char *text, unsigned size, const MD_PARSER *parser, void *context) {
  pthread_once(&once, load);
  return parse != NULL ? parse(text, size, parser, context) : CMD4C_NOT_INSTALLED;
}
