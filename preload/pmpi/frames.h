/* Whether a function that was entered earlier on this thread's stack is still running. */
#ifndef COREWISE_PMPI_FRAMES_H
#define COREWISE_PMPI_FRAMES_H

#include <stdbool.h>

/* `address` lies in the stack frame of a function of this library. False if that function was left without
 * returning, by a C++ exception or longjmp, and where the stack can be walked to its end without meeting it
 * (a user-level thread has its own stack). Takes microseconds; allocates nothing of ours. */
bool cw_frame_is_alive(const void* address);

#endif
