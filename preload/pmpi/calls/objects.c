/* See objects.h. */
#define _GNU_SOURCE
#include "objects.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* Tables hold addresses or offsets: glibc adds the base only if the dynamic section is writable. */
static uintptr_t address_of(const struct cw_object* object, ElfW(Addr) value) {
  return value < object->base ? object->base + value : value;
}

/* Relocations in DT_REL's format, without addend, are ignored. */
static void read_dynamic_section(struct cw_object* object, const ElfW(Dyn) * entry) {
  bool has_addends = true;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const void* at = (const void*)address_of(object, entry->d_un.d_ptr);
    const size_t n = entry->d_un.d_val / sizeof(ElfW(Rela));
    switch (entry->d_tag) {
      case DT_SYMTAB:
        object->symbols = at;
        break;
      case DT_STRTAB:
        object->strings = at;
        break;
      case DT_GNU_HASH:
        object->gnu_hash = at;
        break;
      case DT_HASH:
        object->hash = at;
        break;
      case DT_RELA:
        object->relocations[0] = at;
        break;
      case DT_RELASZ:
        object->n_relocations[0] = n;
        break;
      case DT_JMPREL:
        object->relocations[1] = at;
        break;
      case DT_PLTRELSZ:
        object->n_relocations[1] = n;
        break;
      case DT_PLTREL:
        has_addends = entry->d_un.d_val == DT_RELA;
        break;
    }
  }
  if (!has_addends) object->n_relocations[1] = 0;
}

static void read_headers(struct cw_object* object) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  object->begin = UINTPTR_MAX;
  for (size_t i = 0; i < object->n_headers; ++i) {
    const ElfW(Phdr)* header = &object->headers[i];
    const uintptr_t begin = object->base + header->p_vaddr, end = begin + header->p_memsz;
    if (header->p_type == PT_LOAD) {
      if (begin < object->begin) object->begin = begin;
      if (end > object->end) object->end = end;
    } else if (header->p_type == PT_GNU_RELRO) {
      object->constants = begin & -page;
      object->constants_end = end & -page;
    } else if (header->p_type == PT_DYNAMIC) {
      read_dynamic_section(object, (const void*)begin);
    }
  }
}

struct visit {
  bool (*visit)(const struct cw_object* object, void* state);
  void* state;
};

bool cw_object_read(const struct dl_phdr_info* info, struct cw_object* object) {
  *object = (struct cw_object){.path = info->dlpi_name,
                               .base = info->dlpi_addr,
                               .headers = info->dlpi_phdr,
                               .n_headers = info->dlpi_phnum};
  read_headers(object);
  return object->symbols != NULL && object->strings != NULL;
}

static int read_object(struct dl_phdr_info* info, size_t size, void* state) {
  const struct visit* visit = state;
  struct cw_object object;
  (void)size;
  return cw_object_read(info, &object) && !visit->visit(&object, visit->state) ? 1 : 0;
}

void cw_objects_visit(bool (*visit)(const struct cw_object* object, void* state), void* state) {
  struct visit all = {visit, state};
  dl_iterate_phdr(read_object, &all);
}

static bool is_defined_as(const struct cw_object* object, uint32_t at, const char* name) {
  const ElfW(Sym)* symbol = &object->symbols[at];
  const unsigned char binding = symbol->st_info >> 4;
  return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 &&
         (binding == STB_GLOBAL || binding == STB_WEAK) &&
         strcmp(object->strings + symbol->st_name, name) == 0;
}

/* DT_GNU_HASH: four words, a Bloom filter, buckets, then hashes of the symbols from `first` on. The lowest
 * bit of a hash marks the end of its chain. */
static const ElfW(Sym) * find_by_gnu_hash(const struct cw_object* object, const char* name) {
  const uint32_t n_buckets = object->gnu_hash[0], first = object->gnu_hash[1];
  const uint32_t n_words = object->gnu_hash[2], shift = object->gnu_hash[3];
  const ElfW(Addr)* filter = (const void*)(object->gnu_hash + 4);
  const uint32_t* buckets = (const void*)(filter + n_words);
  const uint32_t* chains = buckets + n_buckets;
  enum { kBits = 8 * sizeof *filter };
  uint32_t hash = 5381;
  for (const char* at = name; *at != 0; ++at) hash = hash * 33 + (unsigned char)*at;
  if (n_buckets == 0 || n_words == 0) return NULL;
  const ElfW(Addr) word = filter[hash / kBits % n_words];
  if ((word >> hash % kBits & word >> (hash >> shift) % kBits & 1) == 0) return NULL;
  uint32_t at = buckets[hash % n_buckets];
  if (at < first) return NULL;
  for (;; ++at) {
    const uint32_t other = chains[at - first];
    if ((other | 1) == (hash | 1) && is_defined_as(object, at, name)) return &object->symbols[at];
    if ((other & 1) != 0) return NULL;
  }
}

/* DT_HASH: number of buckets, number of chains, buckets, chains. */
static const ElfW(Sym) * find_by_hash(const struct cw_object* object, const char* name) {
  const uint32_t n_buckets = object->hash[0];
  const uint32_t* buckets = object->hash + 2;
  const uint32_t* chains = buckets + n_buckets;
  uint32_t hash = 0;
  for (const char* at = name; *at != 0; ++at) {
    hash = (hash << 4) + (unsigned char)*at;
    const uint32_t high = hash & 0xf0000000u;
    hash = (hash ^ high >> 24) & ~high;
  }
  for (uint32_t at = n_buckets == 0 ? 0 : buckets[hash % n_buckets]; at != STN_UNDEF; at = chains[at]) {
    if (is_defined_as(object, at, name)) return &object->symbols[at];
  }
  return NULL;
}

const ElfW(Sym) * cw_object_symbol(const struct cw_object* object, const char* name) {
  if (object->gnu_hash != NULL) return find_by_gnu_hash(object, name);
  return object->hash != NULL ? find_by_hash(object, name) : NULL;
}

/* On some architectures a resolver takes the processor's features; on the others it takes no argument. */
uintptr_t cw_object_address(const struct cw_object* object, const ElfW(Sym) * symbol) {
  const uintptr_t at = object->base + symbol->st_value;
  if ((symbol->st_info & 0xf) != STT_GNU_IFUNC) return at;
  return ((uintptr_t (*)(unsigned long))at)(getauxval(AT_HWCAP));
}

bool cw_object_is_own(const struct cw_object* object) {
  const uintptr_t own = (uintptr_t)cw_object_is_own;
  return object->begin <= own && own < object->end;
}

struct search {
  const char* name;
  struct cw_object object;
  const ElfW(Sym) * symbol; /* NULL: not found */
};

static bool search_object(const struct cw_object* object, void* state) {
  struct search* search = state;
  if (cw_object_is_own(object)) return true;
  search->object = *object;
  search->symbol = cw_object_symbol(object, search->name);
  return search->symbol == NULL;
}

uintptr_t cw_objects_find(const char* name) {
  struct search search = {.name = name};
  cw_objects_visit(search_object, &search);
  return search.symbol == NULL ? 0 : cw_object_address(&search.object, search.symbol);
}

const char* cw_objects_path(const char* name) {
  struct search search = {.name = name};
  cw_objects_visit(search_object, &search);
  return search.symbol == NULL ? NULL : search.object.path;
}

/* Access rights from the program headers and PT_GNU_RELRO; -1: the address is in no segment. */
static int protection_of(const struct cw_object* object, uintptr_t at) {
  for (size_t i = 0; i < object->n_headers; ++i) {
    const ElfW(Phdr)* header = &object->headers[i];
    const uintptr_t begin = object->base + header->p_vaddr;
    if (header->p_type != PT_LOAD || at < begin || at - begin >= header->p_memsz) continue;
    const bool is_constant = object->constants <= at && at < object->constants_end;
    return ((header->p_flags & PF_R) != 0 ? PROT_READ : 0) | ((header->p_flags & PF_X) != 0 ? PROT_EXEC : 0) |
           ((header->p_flags & PF_W) != 0 && !is_constant ? PROT_WRITE : 0);
  }
  return -1;
}

/* mprotect() of all pages that overlap the range. */
static bool protect(uintptr_t begin, size_t bytes, int protection) {
  const uintptr_t first = begin & -(uintptr_t)sysconf(_SC_PAGESIZE);
  return mprotect((void*)first, begin + bytes - first, protection) == 0;
}

bool cw_object_open(const struct cw_object* object, uintptr_t begin, size_t bytes, int* before) {
  *before = protection_of(object, begin);
  if (*before == -1) return false;
  return (*before & PROT_WRITE) != 0 || protect(begin, bytes, *before | PROT_WRITE);
}

void cw_object_close(uintptr_t begin, size_t bytes, int before) {
  if ((before & PROT_WRITE) == 0) protect(begin, bytes, before);
}

uintptr_t cw_object_slot(const struct cw_object* object, const ElfW(Rela) * relocation) {
  const uintptr_t slot = object->base + relocation->r_offset;
  uintptr_t address = 0;
  if (slot >= object->begin && slot + sizeof address <= object->end)
    memcpy(&address, (const void*)slot, sizeof address);
  return address;
}

void cw_object_set_slot(const struct cw_object* object, const ElfW(Rela) * relocation, uintptr_t address) {
  const uintptr_t slot = object->base + relocation->r_offset;
  int before;
  if (!cw_object_open(object, slot, sizeof address, &before)) return;
  memcpy((void*)slot, &address, sizeof address);
  cw_object_close(slot, sizeof address, before);
}
