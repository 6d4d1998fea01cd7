/* The node's profile file as its ranks write it: opened once per process, then written in chunks.
 *
 * Space is reserved before a chunk is mapped, so a full disk is a counted fault and never SIGBUS; what a
 * process has written stays when it is killed. No file descriptor stays open, because programs close or pass
 * on descriptors that are not theirs. */
#ifndef COREWISE_STORE_STORE_H
#define COREWISE_STORE_STORE_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>

#include "job.h"

/* Opens this node's file, which the first process creates, and claims the rank. NULL on success, else one
 * sentence why nothing is recorded. */
const char* cw_store_open(const struct cw_store_job* job);

/* This rank's record, or NULL while the store is not open. */
struct cw_profile_rank* cw_store_rank(void);

/* The table of calls that the file carries; NULL before the store is opened. */
const struct cw_profile_call* cw_store_calls(void);

/* A zeroed chunk of `bytes` (rounded up to whole chunks) of this rank, unpublished, or NULL (a fault for the
 * caller to count). It lives as long as the process. Safe in all threads. */
struct cw_profile_chunk* cw_store_chunk(uint64_t bytes, uint32_t thread);

/* Reserves space for the next chunks where little is left. cw_store_chunk() does so too, but then the call
 * that needs the chunk takes longer: call this where the program waits anyway. */
void cw_store_reserve(void);

/* Lets readers see the chunk: call it once all that its kind promises is filled in. */
void cw_store_publish(struct cw_profile_chunk* chunk, enum cw_profile_chunk_kind kind);

/* Writes this node's file out where it lies on a network file system: other nodes see changes through a
 * memory map late otherwise, or not at all. */
void cw_store_flush(void);

/* Counts one of what could not be recorded; nothing while the store is not open. */
void cw_store_fault(enum cw_profile_fault fault);

/* May this process report on standard error what was not recorded on its node? True for the first that asks;
 * `by_default` where the node's file could not be opened. */
bool cw_store_may_report(bool by_default);

#endif
