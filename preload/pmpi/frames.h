/* Is a function that was entered earlier on this thread's stack still running? */
#ifndef COREWISE_PMPI_FRAMES_H
#define COREWISE_PMPI_FRAMES_H

#include <stdbool.h>

/* `address` is in the stack frame of a function of this library. Returns false if that function was left by a
 * C++ exception or longjmp, and if the frame is not on the current stack (user-level threads have their own
 * stacks). Takes microseconds and allocates no memory. */
bool cw_frame_is_alive(const void* address);

#endif
