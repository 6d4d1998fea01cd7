/* The shared objects of this process, including the program, as the dynamic linker has loaded them. Their
 * tables are read directly, because dlsym() misses libraries that were opened with RTLD_LOCAL, and finds this
 * library's own wrappers first.
 *
 * Format: System V ABI, chapter 5; for DT_GNU_HASH the linker's and glibc's sources. */
#ifndef COREWISE_PMPI_OBJECTS_H
#define COREWISE_PMPI_OBJECTS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dl_phdr_info; /* link.h declares it only with _GNU_SOURCE */

struct cw_object {
  const char* path;     /* "": the program itself */
  uintptr_t base;       /* to be added to addresses in the object's tables */
  uintptr_t begin, end; /* address range of all segments */
  const ElfW(Phdr) * headers;
  size_t n_headers;
  uintptr_t constants; /* up to constants_end, memory is read-only after relocation (PT_GNU_RELRO) */
  uintptr_t constants_end;
  const ElfW(Sym) * symbols;
  const char* strings;
  const uint32_t* gnu_hash;          /* DT_GNU_HASH; NULL: none */
  const uint32_t* hash;              /* DT_HASH; NULL: none */
  const ElfW(Rela) * relocations[2]; /* DT_RELA and DT_JMPREL; DT_REL is not supported */
  size_t n_relocations[2];
};

/* Reads an object's description by the dynamic linker; false: the object has no dynamic symbols. */
bool cw_object_read(const struct dl_phdr_info* info, struct cw_object* object);

/* Calls `visit` for each object, in the dynamic linker's search order, until it returns false. */
void cw_objects_visit(bool (*visit)(const struct cw_object* object, void* state), void* state);

/* The symbol if the object exports it; NULL: it does not. */
const ElfW(Sym) * cw_object_symbol(const struct cw_object* object, const char* name);

/* Address of the symbol. For an indirect function (STT_GNU_IFUNC), calls its resolver. */
uintptr_t cw_object_address(const struct cw_object* object, const ElfW(Sym) * symbol);

/* Is this object the preload library? */
bool cw_object_is_own(const struct cw_object* object);

/* Address of the first definition outside the preload library; 0: none. */
uintptr_t cw_objects_find(const char* name);

/* Path of the first object that defines the name, other than the preload library; NULL: none. Calls no
 * resolver. */
const char* cw_objects_path(const char* name);

/* Index into `symbols`; 0: the relocation refers to no symbol. */
#if __SIZEOF_POINTER__ == 8
#define CW_RELOCATION_SYMBOL(relocation) ELF64_R_SYM((relocation)->r_info)
#else
#define CW_RELOCATION_SYMBOL(relocation) ELF32_R_SYM((relocation)->r_info)
#endif

/* Makes memory of the object writable and keeps its other access rights. Sets `*before` to the previous
 * rights, in mprotect()'s terms. False, without a change: the range is in no segment, or the kernel
 * refuses. */
bool cw_object_open(const struct cw_object* object, uintptr_t begin, size_t bytes, int* before);

/* Undoes cw_object_open(). */
void cw_object_close(uintptr_t begin, size_t bytes, int before);

/* Read and write the address in a relocation's slot. Read-only memory and code are made writable for the
 * write. If the kernel refuses, the slot stays unchanged. */
uintptr_t cw_object_slot(const struct cw_object* object, const ElfW(Rela) * relocation);
void cw_object_set_slot(const struct cw_object* object, const ElfW(Rela) * relocation, uintptr_t address);

#endif
