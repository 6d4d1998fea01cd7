/* The node's profile file, as its ranks write it in chunks.
 *
 * Space is reserved before a chunk is mapped: a full disk is a counted fault, not SIGBUS. What was written
 * survives if the process is killed. No descriptor stays open, because programs close descriptors that aren't
 * theirs. */
#ifndef COREWISE_STORE_STORE_H
#define COREWISE_STORE_STORE_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>

#include "job.h"

/* Opens this node's file, which the first process creates, and claims this rank. NULL on success, else a
 * sentence why nothing is recorded. */
const char* cw_store_open(const struct cw_store_job* job);

/* This rank's record; NULL: the store is not open. */
struct cw_profile_rank* cw_store_rank(void);

/* The table of calls in the file; NULL: the store is not open. */
const struct cw_profile_call* cw_store_calls(void);

/* A zeroed, unpublished chunk of at least `bytes`, valid until the process ends. NULL: no space; the caller
 * counts the fault. Safe in all threads. */
struct cw_profile_chunk* cw_store_chunk(uint64_t bytes, uint32_t thread);

/* Reserves space for the next chunks if little is left. cw_store_chunk() would do the same, but inside a call
 * of the program. */
void cw_store_reserve(void);

/* Makes a complete chunk visible to readers. */
void cw_store_publish(struct cw_profile_chunk* chunk, enum cw_profile_chunk_kind kind);

/* On a network file system, writes the file to the server, so that other nodes can read it. */
void cw_store_flush(void);

/* Counts a fault; does nothing if the store is not open. */
void cw_store_fault(enum cw_profile_fault fault);

/* May this process print what was not recorded on its node? True for the first process of the node that asks;
 * `by_default` if the node's file could not be opened. */
bool cw_store_may_report(bool by_default);

#endif
