/* The objects of this process: the program and its shared libraries, as the dynamic linker has loaded them.
 * Their tables are read directly. dlsym() would not do: it sees no library that was opened with RTLD_LOCAL,
 * and it finds this library's own wrappers first.
 *
 * Format: System V ABI, chapter 5; for DT_GNU_HASH the linker's and glibc's sources. */
#ifndef COREWISE_PMPI_OBJECTS_H
#define COREWISE_PMPI_OBJECTS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dl_phdr_info; /* link.h has it with _GNU_SOURCE alone */

struct cw_object {
  const char* path;     /* empty for the program itself */
  uintptr_t base;       /* is added to the addresses in the object's tables */
  uintptr_t begin, end; /* all of its segments */
  const ElfW(Phdr) * headers;
  size_t n_headers;
  uintptr_t constants; /* from here to constants_end memory is read-only once relocations are done */
  uintptr_t constants_end;
  const ElfW(Sym) * symbols;
  const char* strings;
  const uint32_t* gnu_hash;          /* NULL: the object has none */
  const uint32_t* hash;              /* likewise, of DT_HASH */
  const ElfW(Rela) * relocations[2]; /* DT_RELA and DT_JMPREL; none in the format of DT_REL */
  size_t n_relocations[2];
};

/* Reads what the dynamic linker says of an object; false: it has no dynamic symbols. */
bool cw_object_read(const struct dl_phdr_info* info, struct cw_object* object);

/* Calls `visit` for each object in the order in which the dynamic linker searches them, until it returns
 * false. */
void cw_objects_visit(bool (*visit)(const struct cw_object* object, void* state), void* state);

/* The symbol that the object defines for other objects; NULL: none. */
const ElfW(Sym) * cw_object_symbol(const struct cw_object* object, const char* name);

/* Where that is. The resolver of an indirect function (STT_GNU_IFUNC) is called. */
uintptr_t cw_object_address(const struct cw_object* object, const ElfW(Sym) * symbol);

/* Is this the object that holds this function, which is the preload library? */
bool cw_object_is_own(const struct cw_object* object);

/* Address of the first definition outside the preload library; 0: none. */
uintptr_t cw_objects_find(const char* name);

/* Path of the object that holds it; NULL: none. No resolver is called. */
const char* cw_objects_path(const char* name);

/* Index into `symbols`; 0: the relocation names none. */
#if __SIZEOF_POINTER__ == 8
#define CW_RELOCATION_SYMBOL(relocation) ELF64_R_SYM((relocation)->r_info)
#else
#define CW_RELOCATION_SYMBOL(relocation) ELF32_R_SYM((relocation)->r_info)
#endif

/* Makes memory of the object writable, which otherwise may be used as before. `*before` is what it was, as
 * mprotect() takes it. False: it is in no segment, or the kernel refuses; nothing has changed. */
bool cw_object_open(const struct cw_object* object, uintptr_t begin, size_t bytes, int* before);

/* Afterwards. */
void cw_object_close(uintptr_t begin, size_t bytes, int before);

/* Reads and writes the address that a relocation has filled in. Memory that is read-only by then, or code, is
 * writable for the moment of writing; if the kernel refuses that, the slot stays unchanged. */
uintptr_t cw_object_slot(const struct cw_object* object, const ElfW(Rela) * relocation);
void cw_object_set_slot(const struct cw_object* object, const ElfW(Rela) * relocation, uintptr_t address);

#endif
