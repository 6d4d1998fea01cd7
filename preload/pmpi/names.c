/* See names.h. */
#define _GNU_SOURCE
#include "names.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "objects.h"

/* All rows, in the order of the linker (GNU ld's manual, "orphan sections"). */
extern struct cw_name __start_cw_names[] __attribute__((visibility("hidden")));
extern struct cw_name __stop_cw_names[] __attribute__((visibility("hidden")));

/* Names that come with one library: it is loaded when its first function is there. */
struct family {
  const char* first;
  _Atomic bool is_known; /* which of its names the loaded library has */
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

/* Does the object define what the wrapper calls? MPICH's Fortran 2008 functions are pmpir_x_f08_. PMIx has no
 * second name for its functions. */
static bool defines_target(const struct cw_object* object, const char* symbol) {
  char target[128];
  if (starts_with(symbol, "PMIx_")) return cw_object_symbol(object, symbol) != NULL;
  snprintf(target, sizeof target, "%c%s", symbol[0] == 'M' ? 'P' : 'p', symbol);
  if (cw_object_symbol(object, target) != NULL) return true;
  if (symbol[0] == 'M') return false;
  snprintf(target, sizeof target, "pmpir%s", strchr(symbol, '_'));
  return cw_object_symbol(object, target) != NULL;
}

/* Notes which names this object defines. */
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

/* The dynamic linker passes over a symbol without a value. */
static void hide(const struct cw_name* name) {
  ElfW(Sym)* symbol = symbol_of(name);
  if (symbol != NULL) symbol->st_value = 0;
}

/* Binds what this library takes from MPI, and the dynamic linker could not find when the process started. A
 * slot that was not bound holds 0 or an address inside this library, whose first call would search in what
 * all objects share: not in a library that was opened with RTLD_LOCAL. */
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

/* Finds out about families whose library is loaded. Threads may do so at the same time: they write the same.
 */
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

/* The library of these names may be opened later: whoever looks one up asks its resolver. */
static void make_indirect(struct cw_name* name) {
  ElfW(Sym)* symbol = symbol_of(name);
  if (symbol == NULL) return;
  symbol->st_info = (unsigned char)(symbol->st_info & 0xf0) | STT_GNU_IFUNC;
  symbol->st_value = (uintptr_t)name->resolve - own.base;
}

/* An object that was bound to a wrapper which is not visible gets what it would have got without this
 * library. */
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

/* From now on the symbol table can be written. False: it stays as the linker wrote it. */
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

/* Before any other code of the process, as far as the dynamic linker lets it. */
__attribute__((constructor)) static void start(void) {
  cw_objects_visit(find_own, NULL);
  if (!open_symbol_table()) return;
  learn();
  for (struct cw_name* name = __start_cw_names; name < __stop_cw_names; ++name) {
    if (!family_of(name)->is_known) make_indirect(name);
  }
  cw_objects_visit(bind_again, NULL);
}
