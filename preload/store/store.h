/* The node's profile file as its ranks write it: opened once, then handed out in chunks. One per process.
 *
 * Space is reserved before a chunk is mapped, so a full disk is a counted fault and never SIGBUS; what is in
 * a chunk survives the death of its process. No file descriptor stays open: programs close or inherit what
 * they find. */
#ifndef COREWISE_STORE_STORE_H
#define COREWISE_STORE_STORE_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>

#include "job.h"

/* Joins this node's file, or makes it, and claims the rank. NULL on success, else one sentence why nothing is
 * recorded. */
const char* cw_store_open(const struct cw_store_job* job);

/* This rank's record, or NULL while the store is not open. */
struct cw_profile_rank* cw_store_rank(void);

/* A zeroed chunk of `bytes` (rounded up to whole chunks) of this rank, unpublished, or NULL (a fault for the
 * caller to count). It lives as long as the process. Safe in all threads. */
struct cw_profile_chunk* cw_store_chunk(uint64_t bytes, uint32_t thread);

/* Lets readers see the chunk: call it once its head is filled. */
void cw_store_publish(struct cw_profile_chunk* chunk, enum cw_profile_chunk_kind kind);

void cw_store_fault(enum cw_profile_fault fault);

/* May this process tell the faults of its node? True for the first that asks; `alone` where the node's file
 * was never joined. */
bool cw_store_may_tell(bool alone);

#endif
