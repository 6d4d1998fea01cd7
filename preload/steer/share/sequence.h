/* Words in shared memory with one writer and any readers, without locks (seqlock): a sequence number is odd
 * while the words are being written. */
#ifndef COREWISE_STEER_SEQUENCE_H
#define COREWISE_STEER_SEQUENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Writes the first `n` words. One writer at a time. */
void cw_sequence_write(_Atomic uint32_t* sequence, _Atomic uint64_t* words, const uint64_t* from, int n);

/* Reads `n` words of one write. False: nothing was written yet, a writer interfered with each attempt, or a
 * writer was killed while writing; `to` is then undefined. Never waits. */
bool cw_sequence_read(_Atomic uint32_t* sequence, _Atomic uint64_t* words, uint64_t* to, int n);

#endif
