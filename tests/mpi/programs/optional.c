/* Usage: optional NAME... Looks up functions that an MPI may lack, in every way that a program has.
 * The test writes names.h, which contains WEAK(name) for each of them. With -DLIBRARY this is a library whose
 * weak symbols the program links. With -DOPENED the program opens an MPI library first: optional LIBRARY
 * NAME...
 * Prints a line for each name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define WEAK(name) extern void name(void) __attribute__((weak));
#include "names.h"
#undef WEAK
#define WEAK(name) {#name, name},
struct function {
  const char* name;
  void (*address)(void);
};

#ifdef LIBRARY
const struct function* weak_in_library(void) {
  static const struct function weak[] = {
#include "names.h"
      {0, 0}};
  return weak;
}
#else
static const struct function weak[] = {
#include "names.h"
    {0, 0}};
extern const struct function* weak_in_library(void) __attribute__((weak));

static int has(const struct function* list, const char* name) {
  for (; list->name != 0; ++list) {
    if (strcmp(list->name, name) == 0) return list->address != 0;
  }
  return -1;
}

/* 0: no; 1: yes; 2: no, and dlerror() has no text. */
static int found(void* handle, const char* name) {
  dlerror();
  if (dlsym(handle, name) != 0) return 1;
  return dlerror() != 0 ? 0 : 2;
}

int main(int argc, char** argv) {
  int first = 1;
#ifdef OPENED
  void* opened = dlopen(argv[first++], RTLD_LAZY | RTLD_GLOBAL);
  if (opened == 0) return 1;
  if (dlsym(RTLD_DEFAULT, "MPI_Init") == 0) return 2;
#else
  void* opened = dlopen(0, RTLD_LAZY);
#endif
  for (int i = first; i < argc; ++i) {
    printf("%s weak %d default %d next %d handle %d in library %d\n", argv[i], has(weak, argv[i]),
           found(RTLD_DEFAULT, argv[i]), found(RTLD_NEXT, argv[i]), found(opened, argv[i]),
           weak_in_library != 0 ? has(weak_in_library(), argv[i]) : -1);
  }
  return 0;
}
#endif
