/* The time slice of the calling thread. A thread that moves another process sleeps meanwhile, and wakes up on
 * a core that the other process may now occupy. With the default slice it waits there for milliseconds, while
 * two ranks share a core. With a short slice it runs at once (Linux 6.12; sched_setattr(2)). Older kernels
 * ignore the slice. */
#ifndef COREWISE_STEER_ACT_SLICE_H
#define COREWISE_STEER_ACT_SLICE_H

#include <stdbool.h>
#include <stdint.h>

/* The first version of struct sched_attr, which glibc lacks before 2.41. */
struct cw_slice {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns;
  uint64_t deadline_ns;
  uint64_t period_ns;
};

/* Returns the previous slice. Threads in real-time classes are not changed. */
struct cw_slice cw_slice_shorten(void);

void cw_slice_restore(const struct cw_slice* before);

#endif
