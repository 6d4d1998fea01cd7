/* See names.h. */
#define _GNU_SOURCE
#include "names.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "objects.h"

/* All entries: symbols that the linker defines for a section (GNU ld's manual, "orphan sections"). */
extern struct cw_name __start_cw_names[] __attribute__((visibility("hidden")));
extern struct cw_name __stop_cw_names[] __attribute__((visibility("hidden")));

/* Names from one library. The library is loaded if its first function is defined. */
struct family {
  const char* first;
  _Atomic bool is_known; /* it was loaded, and is_here and can_be_forwarded are final for its names */
};
enum { kC, kFortran, kFortran08, kPmix, kFamilies };
static struct family families[kFamilies] = {
    [kC] = {.first = "MPI_Init"},
    [kFortran] = {.first = "mpi_init_"},
    [kFortran08] = {.first = "mpi_init_f08_"},
    [kPmix] = {.first = "PMIx_Init"},
};

static struct cw_object own;

static bool starts_with(const char* text, const char* start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char* text, const char* end) {
  const size_t n = strlen(text), n_end = strlen(end);
  return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

static struct family* family_of(const struct cw_name* name) {
  if (starts_with(name->symbol, "MPI_")) return &families[kC];
  if (starts_with(name->symbol, "PMIx_")) return &families[kPmix];
  return &families[ends_with(name->symbol, "_f08_") ? kFortran08 : kFortran];
}

/* Does the object define the function that the wrapper calls? In MPICH that is pmpir_x_f08_ for Fortran 2008.
 * PMIx functions have no second name. */
static bool defines_target(const struct cw_object* object, const char* symbol) {
  char target[128];
  if (starts_with(symbol, "PMIx_")) return cw_object_symbol(object, symbol) != NULL;
  snprintf(target, sizeof target, "%c%s", symbol[0] == 'M' ? 'P' : 'p', symbol);
  if (cw_object_symbol(object, target) != NULL) return true;
  if (symbol[0] == 'M') return false;
  snprintf(target, sizeof target, "pmpir%s", strchr(symbol, '_'));
  return cw_object_symbol(object, target) != NULL;
}

/* Finds out which names this object defines. */
static bool look_into(const struct cw_object* object, void* state) {
  (void)state;
  if (cw_object_is_own(object)) return true;
  for (struct cw_name* name = __start_cw_names; name < __stop_cw_names; ++name) {
    if (!name->is_here) name->is_here = cw_object_symbol(object, name->symbol) != NULL;
    if (!name->can_be_forwarded) name->can_be_forwarded = defines_target(object, name->symbol);
  }
  return true;
}

static bool is_visible(const struct cw_name* name) { return name->is_here && name->can_be_forwarded; }

static ElfW(Sym) * symbol_of(const struct cw_name* name) {
  return (ElfW(Sym)*)(uintptr_t)cw_object_symbol(&own, name->symbol);
}

/* Makes the symbol undefined: the dynamic linker ignores symbols with value 0. */
static void hide(const struct cw_name* name) {
  ElfW(Sym)* symbol = symbol_of(name);
  if (symbol != NULL) symbol->st_value = 0;
}

/* Resolves this library's weak references to MPI in one object. A slot that is not resolved yet holds 0 or an
 * address inside this library. At the first call the dynamic linker would search only global objects, and so
 * miss an MPI that was opened with RTLD_LOCAL. */
static bool bind_to(const struct cw_object* object, void* state) {
  (void)state;
  if (cw_object_is_own(object)) return true;
  for (int table = 0; table < 2; ++table) {
    for (size_t i = 0; i < own.n_relocations[table]; ++i) {
      const ElfW(Rela)* relocation = &own.relocations[table][i];
      const ElfW(Sym)* wanted = &own.symbols[CW_RELOCATION_SYMBOL(relocation)];
      if (wanted->st_shndx != SHN_UNDEF || wanted->st_info >> 4 != STB_WEAK) continue;
      const uintptr_t bound = cw_object_slot(&own, relocation);
      if (bound != 0 && (bound < own.begin || bound >= own.end)) continue;
      const ElfW(Sym)* found = cw_object_symbol(object, own.strings + wanted->st_name);
      if (found != NULL) cw_object_set_slot(&own, relocation, cw_object_address(object, found));
    }
  }
  return true;
}

/* Finds out about newly loaded families. Threads may run this at once, because they all write the same. */
static void learn(void) {
  bool is_new[kFamilies], any = false;
  for (int i = 0; i < kFamilies; ++i) {
    is_new[i] = !families[i].is_known && cw_objects_path(families[i].first) != NULL;
    any |= is_new[i];
  }
  if (!any) return;
  cw_objects_visit(look_into, NULL);
  cw_objects_visit(bind_to, NULL);
  for (struct cw_name* name = __start_cw_names; name < __stop_cw_names; ++name) {
    if (is_new[family_of(name) - families] && !is_visible(name)) hide(name);
  }
  for (int i = 0; i < kFamilies; ++i) {
    if (is_new[i]) families[i].is_known = true;
  }
}

void* cw_name_resolve(const struct cw_name* name) {
  const struct family* family = family_of(name);
  if (!family->is_known) learn();
  return family->is_known && is_visible(name) ? (void*)name->wrapper : NULL;
}

/* The library may be loaded later: each look-up of the name then calls its resolver. */
static void make_indirect(struct cw_name* name) {
  ElfW(Sym)* symbol = symbol_of(name);
  if (symbol == NULL) return;
  symbol->st_info = (unsigned char)(symbol->st_info & 0xf0) | STT_GNU_IFUNC;
  symbol->st_value = (uintptr_t)name->resolve - own.base;
}

/* Corrects references of an object to wrappers that are not visible: each gets the address that it would have
 * without this library. */
static bool bind_again(const struct cw_object* object, void* state) {
  (void)state;
  if (cw_object_is_own(object)) return true;
  for (int table = 0; table < 2; ++table) {
    for (size_t i = 0; i < object->n_relocations[table]; ++i) {
      const ElfW(Rela)* relocation = &object->relocations[table][i];
      if (CW_RELOCATION_SYMBOL(relocation) == 0) continue;
      const uintptr_t bound = cw_object_slot(object, relocation);
      if (bound < own.begin || bound >= own.end) continue;
      const char* name = object->strings + object->symbols[CW_RELOCATION_SYMBOL(relocation)].st_name;
      const ElfW(Sym)* symbol = cw_object_symbol(&own, name);
      if (symbol == NULL || (symbol->st_info & 0xf) == STT_GNU_IFUNC)
        cw_object_set_slot(object, relocation, cw_objects_find(name));
    }
  }
  return true;
}

static bool find_own(const struct cw_object* object, void* state) {
  (void)state;
  if (!cw_object_is_own(object)) return true;
  own = *object;
  return false;
}

/* Makes the symbol table writable. False: it is unchanged. */
static bool open_symbol_table(void) {
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (struct cw_name* name = __start_cw_names; name < __stop_cw_names; ++name) {
    const ElfW(Sym)* symbol = symbol_of(name);
    if (symbol == NULL) continue;
    name->wrapper = own.base + symbol->st_value;
    if ((uintptr_t)symbol < begin) begin = (uintptr_t)symbol;
    if ((uintptr_t)(symbol + 1) > end) end = (uintptr_t)(symbol + 1);
  }
  int before;
  return begin < end && cw_object_open(&own, begin, end - begin, &before);
}

/* Runs as early as the dynamic linker allows (-z initfirst). */
__attribute__((constructor)) static void start(void) {
  cw_objects_visit(find_own, NULL);
  if (!open_symbol_table()) return;
  learn();
  for (struct cw_name* name = __start_cw_names; name < __stop_cw_names; ++name) {
    if (!family_of(name)->is_known) make_indirect(name);
  }
  cw_objects_visit(bind_again, NULL);
}
