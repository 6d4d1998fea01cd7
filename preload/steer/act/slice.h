/* The time slice of the calling thread. Who moves another process sleeps until the kernel has done that, and
 * wakes up on a core that is another's meanwhile: with the slice of everybody it waits there until that one's
 * is over, milliseconds in which two ranks share a core. A thread with a short slice continues at once (Linux
 * 6.12; sched_setattr(2)). Older kernels take no notice. */
#ifndef COREWISE_STEER_ACT_SLICE_H
#define COREWISE_STEER_ACT_SLICE_H

#include <stdbool.h>
#include <stdint.h>

/* struct sched_attr as in its first version; C libraries before glibc 2.41 have none. */
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

/* Returns what it was, for cw_slice_restore(). Nothing is changed for a thread of a real-time class. */
struct cw_slice cw_slice_shorten(void);

void cw_slice_restore(const struct cw_slice* before);

#endif
