/* See gate.h. Walks the stack with the unwinder of the compiler's run-time library (unwind.h). */
#define _GNU_SOURCE
#include "gate.h"

#include <dlfcn.h>
#include <unwind.h>

static uintptr_t open_gate; /* the gate bits of all threads; 0: calls are only forwarded */

void cw_gate_set(uintptr_t bits) { open_gate = bits; }

struct search {
  uintptr_t wanted;
  uintptr_t function;    /* address in the function of the frame below; 0: no frame yet */
  uintptr_t stack_begin; /* lowest address of the frame below */
  bool found;
};

/* Is this address in the code of this library? */
static bool is_ours(uintptr_t instruction) {
  Dl_info own, other;
  return dladdr((const void*)(uintptr_t)cw_enter_slowly, &own) != 0 &&
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

/* Is a function of this library that was entered earlier on this thread's stack still running? `address` is
 * in its frame. False if it was left by a C++ exception or longjmp, and if the frame is not on the current
 * stack (user-level threads have their own stacks). Takes microseconds and allocates no memory. */
static bool is_alive(const void* address) {
  struct search search = {.wanted = (uintptr_t)address};
  (void)_Unwind_Backtrace(visit, &search);
  return search.found;
}

/* The stack grows downwards: a wrapper called inside another one has a lower frame. */
static bool was_left(uintptr_t wrapper, uintptr_t frame) {
  return frame >= wrapper || !is_alive((const void*)wrapper);
}

uintptr_t cw_enter_slowly(uintptr_t frame) {
  const uintptr_t gate = cw_thread.gate;
  const bool is_outermost = gate < CW_GATE_END || was_left(gate, frame);
  return is_outermost ? open_gate : 0;
}
