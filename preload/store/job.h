/* The job and rank that a profile describes. */
#ifndef COREWISE_STORE_JOB_H
#define COREWISE_STORE_JOB_H

#include <corewise_formats/profile.h>
#include <stdint.h>

struct cw_store_job {
  const char* directory; /* created if missing, its parents are not */
  const char* job;
  const char* world; /* "": the MPI_COMM_WORLD that the launcher started; else see spawned.h */
  int32_t rank;
  uint32_t n_ranks;
  const struct cw_profile_call* calls;
  uint32_t n_calls;
};

#endif
