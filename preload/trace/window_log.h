/* Records of windows in chunks of the profile. The thread that writes them reads them to merge windows. */
#ifndef COREWISE_TRACE_WINDOW_LOG_H
#define COREWISE_TRACE_WINDOW_LOG_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>

enum { CW_LOG_MOST_CHUNKS = 32 };

/* Growth of a row within a window. */
struct cw_growth {
  uint64_t count;
  uint64_t bytes;
  uint64_t ticks;
};

/* The records of one level. A window of level n lasts 2^n times as long as one of level 0. */
struct cw_window_log {
  uint64_t window_ns;
  uint32_t thread;
  uint32_t level;
  uint32_t n_records;
  uint32_t n_chunks;
  uint64_t last_number;
  struct cw_profile_chunk* chunks[CW_LOG_MOST_CHUNKS];
  struct cw_profile_chunk* spare[CW_LOG_MOST_CHUNKS]; /* chunks of merged levels, for reuse */
  uint32_t n_spare;
};

/* Appends a record of the rows that grew, if any did. False: no space. */
bool cw_window_log_append(struct cw_window_log* log, uint64_t number, int32_t region,
                          const struct cw_growth* growth, uint32_t n_rows);

/* Calls `record` for each record and `row` for each of its rows, in order. */
void cw_window_log_read(const struct cw_window_log* log,
                        void (*record)(void* context, uint64_t number, int32_t region),
                        void (*row)(void* context, uint32_t row, const struct cw_growth* growth),
                        void* context);

/* Makes all chunks visible to readers. `region` is the region of the time after the last record. */
void cw_window_log_publish(struct cw_window_log* log, int32_t region);

/* An empty log of the next level. It takes over the spare chunks of `log`. */
struct cw_window_log cw_window_log_next(struct cw_window_log* log);

/* Hides all records of `log` from readers and gives its chunks to `next`. */
void cw_window_log_retire(struct cw_window_log* log, struct cw_window_log* next);

#endif
