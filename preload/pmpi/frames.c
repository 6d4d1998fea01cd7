/* Walks the stack with the unwinder of the compiler's run-time library (unwind.h). */
#define _GNU_SOURCE
#include "frames.h"

#include <dlfcn.h>
#include <stdint.h>
#include <unwind.h>

struct search {
  uintptr_t wanted;
  uintptr_t function;    /* address in the function of the frame below; 0: no frame yet */
  uintptr_t stack_begin; /* lowest address of the frame below */
  bool found;
};

/* Is this address in the code of this library? */
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
