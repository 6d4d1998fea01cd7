/* Which of its names this library defines. A program may ask whether a function exists, by a weak symbol or
 * by dlsym(), and use another way where it doesn't. The answer must be the one that it gets without this
 * library: a wrapper is visible only if the loaded MPI has the function, whichever version of MPI the library
 * was built with.
 *
 * A wrapper's symbol is in one of three states, which names.c sets in the library's own symbol table in
 * memory:
 *   - a function, as the linker wrote it: the MPI that was loaded at the start of the process has it;
 *   - undefined: the MPI does not have it;
 *   - an indirect function (STT_GNU_IFUNC): no MPI is loaded yet. Whoever looks the symbol up, the dynamic
 * linker or dlsym(), calls its resolver, which gives the wrapper or, without an MPI that has the function,
 * NULL. What was bound before the library could look is bound again. */
#ifndef COREWISE_PMPI_NAMES_H
#define COREWISE_PMPI_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct cw_name {
  const char* symbol;
  void* (*resolve)(void);
  uintptr_t wrapper;             /* its address */
  _Atomic bool is_here;          /* another object defines the symbol */
  _Atomic bool can_be_forwarded; /* and one defines what the wrapper calls */
} __attribute__((aligned(32)));

/* For the resolver of a name: the wrapper, or NULL. Safe in all threads, and while the dynamic linker works.
 */
void* cw_name_resolve(const struct cw_name* name);

/* Is next to each wrapper; `id` is any identifier that is unique in the file. Rows are a multiple of 32
 * bytes apart, so that the section is an array. */
#define CW_NAME(id, symbol)                                                                    \
  static void* cw_resolve_##id(void);                                                          \
  static struct cw_name cw_name_of_##id                                                        \
      __attribute__((section("cw_names"), used)) = {symbol, cw_resolve_##id, 0, false, false}; \
  static void* cw_resolve_##id(void) { return cw_name_resolve(&cw_name_of_##id); }

#endif
