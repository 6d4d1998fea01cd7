/* The job that a profile is of, as one of its ranks knows it. */
#ifndef COREWISE_STORE_JOB_H
#define COREWISE_STORE_JOB_H

#include <corewise_formats/profile.h>
#include <stdint.h>

struct cw_store_job {
  const char* directory; /* created if it is missing, but not its parents */
  const char* job;
  const char* world; /* empty: the one that the launcher started; else of spawned processes (spawned.h) */
  int32_t rank;
  uint32_t n_ranks;
  const struct cw_profile_call* calls;
  uint32_t n_calls;
};

#endif
