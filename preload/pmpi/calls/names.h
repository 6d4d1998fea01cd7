/* Which of its MPI functions this library shows to the program. A program may check if a function exists, by
 * a weak symbol or dlsym(), and do without it. The answer must be the same with and without this library: a
 * wrapper is visible only if the loaded MPI has the function.
 *
 * For this, names.c edits this library's symbol table in memory. The symbol of a wrapper is one of:
 *   - a function, as the linker wrote it: the MPI loaded at program start has the function;
 *   - undefined: the MPI does not have it;
 *   - an indirect function (STT_GNU_IFUNC): no MPI is loaded yet. The dynamic linker and dlsym() then call
 *     the symbol's resolver, which returns the wrapper, or NULL if no loaded MPI has the function.
 * References that the dynamic linker resolved before names.c ran are resolved again. */
#ifndef COREWISE_PMPI_NAMES_H
#define COREWISE_PMPI_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct cw_name {
  const char* symbol;
  void* (*resolve)(void);
  uintptr_t wrapper;             /* its address */
  _Atomic bool is_here;          /* another shared object defines the symbol */
  _Atomic bool can_be_forwarded; /* another shared object defines the function that the wrapper calls */
} __attribute__((aligned(32)));

/* The wrapper, or NULL: called by resolvers. Safe in all threads, and inside the dynamic linker. */
void* cw_name_resolve(const struct cw_name* name);

/* Follows each wrapper; `id` is unique in the file. All entries have the same section, which is an array
 * because their size is a multiple of their alignment. */
#define CW_NAME(id, symbol)                                                                    \
  static void* cw_resolve_##id(void);                                                          \
  static struct cw_name cw_name_of_##id                                                        \
      __attribute__((section("cw_names"), used)) = {symbol, cw_resolve_##id, 0, false, false}; \
  static void* cw_resolve_##id(void) { return cw_name_resolve(&cw_name_of_##id); }

#endif
