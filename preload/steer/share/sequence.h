/* Words in shared memory that one writes and any others read at any time, without locks: a sequence number
 * that is odd while they are written. */
#ifndef COREWISE_STEER_SEQUENCE_H
#define COREWISE_STEER_SEQUENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Writes the first `n` words. By one writer at a time. */
void cw_sequence_write(_Atomic uint32_t* sequence, _Atomic uint64_t* words, const uint64_t* from, int n);

/* Reads `n` words that were written whole. False: nothing was written yet, or the writer was at it each time,
 * or ended in the middle; `to` then means nothing. Never waits. */
bool cw_sequence_read(_Atomic uint32_t* sequence, _Atomic uint64_t* words, uint64_t* to, int n);

#endif
