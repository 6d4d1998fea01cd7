/* Walks the stack from the caller outwards, as an exception would (unwind.h of the compiler's run-time). */
#define _GNU_SOURCE
#include "frames.h"

#include <dlfcn.h>
#include <stdint.h>
#include <unwind.h>

struct search {
  uintptr_t wanted;
  uintptr_t function;    /* an instruction of the frame below; 0 at the first one */
  uintptr_t stack_begin; /* of the frame below: the lowest address of it */
  bool found;
};

/* Is this instruction one of this library? */
static bool is_ours(uintptr_t instruction) {
  Dl_info own, other;
  return dladdr((const void*)(uintptr_t)cw_frame_is_alive, &own) != 0 &&
         dladdr((const void*)instruction, &other) != 0 && own.dli_fbase == other.dli_fbase;
}

/* A frame reaches from its own stack pointer to that of its caller. */
static _Unwind_Reason_Code visit(struct _Unwind_Context* context, void* state) {
  struct search* search = state;
  const uintptr_t stack = _Unwind_GetCFA(context);
  if (search->function != 0 && search->stack_begin <= search->wanted && search->wanted < stack) {
    search->found = is_ours(search->function);
    return _URC_END_OF_STACK;
  }
  search->function = _Unwind_GetIP(context);
  search->stack_begin = stack;
  return _URC_NO_REASON;
}

bool cw_frame_is_alive(const void* address) {
  struct search search = {.wanted = (uintptr_t)address};
  (void)_Unwind_Backtrace(visit, &search);
  return search.found;
}
