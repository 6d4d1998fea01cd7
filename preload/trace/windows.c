/* Windows of one thread. When there are too many, each two neighbours are merged into one, twice as long.
 * The number of windows is so limited for runs of any length, and the resolution decreases. */
#include "windows.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../counters/row_table.h"
#include "../store/clock.h"
#include "../store/store.h"
#include "window_log.h"

enum { kWindowNs = 10000000, kMostRecords = 1024, kMostRegions = 16 };

struct cw_windows {
  struct cw_window_log log;
  struct cw_growth* seen; /* [row] sum over all records */
  uint32_t n_seen;
  uint64_t open_number; /* number of the current window: Unix time / window length */
  int32_t region;
};

static _Atomic int32_t process_region = 1;

/* Sum of two windows that are being merged, for one region. */
struct sums {
  int32_t region;
  struct cw_growth* rows; /* [row] */
};
struct pair {
  /* State while windows are merged. */
  struct cw_window_log* log; /* merged windows go here */
  struct sums sums[kMostRegions];
  uint32_t n_sums;
  struct cw_growth* current; /* rows of the sum to which the record being read belongs */
  uint32_t n_rows;
  uint64_t number;
  bool failed;
};

static uint64_t unix_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t length_ns(const struct cw_windows* windows) {
  return (uint64_t)kWindowNs << windows->log.level;
}

/* Starts the window that contains now. If the clock was set back, the current window continues. */
static void open_window(struct cw_row_table* table) {
  struct cw_windows* windows = table->windows;
  const uint64_t now = unix_ns();
  const uint64_t number = now / length_ns(windows);
  if (number > windows->open_number) windows->open_number = number;
  const uint64_t left_ns = (windows->open_number + 1) * length_ns(windows) - now;
  table->window_end = cw_ticks() + (uint64_t)((double)left_ns * 1e-9 * cw_ticks_per_s());
}

/* After a failure: withdraws all windows, because a part of them would mislead. Other data stay valid. */
static void discard_windows(struct cw_row_table* table) {
  struct cw_window_log unused = cw_window_log_next(&table->windows->log);
  cw_window_log_retire(&table->windows->log, &unused);
  table->window_end = UINT64_MAX;
}

static void write_sums(struct pair* pair) {
  for (uint32_t i = 0; i < pair->n_sums; ++i) {
    const struct sums* sums = &pair->sums[i];
    if (!cw_window_log_append(pair->log, pair->number, sums->region, sums->rows, pair->n_rows))
      pair->failed = true;
    free(sums->rows);
  }
  pair->n_sums = 0;
  pair->current = NULL;
}

/* The sums of a region in the current merged window; NULL: out of memory. */
static struct cw_growth* sums_of(struct pair* pair, int32_t region) {
  for (uint32_t i = 0; i < pair->n_sums; ++i) {
    if (pair->sums[i].region == region) return pair->sums[i].rows;
  }
  if (pair->n_sums == kMostRegions) write_sums(pair);
  struct cw_growth* rows = calloc(pair->n_rows, sizeof *rows);
  if (rows == NULL) {
    pair->failed = true;
    return NULL;
  }
  pair->sums[pair->n_sums++] = (struct sums){region, rows};
  return rows;
}

static void add_record(void* context, uint64_t number, int32_t region) {
  struct pair* pair = context;
  if (pair->number != number / 2) write_sums(pair);
  pair->number = number / 2;
  pair->current = sums_of(pair, region);
}

static void add_growth(void* context, uint32_t row, const struct cw_growth* growth) {
  const struct pair* pair = context;
  if (pair->current == NULL || row >= pair->n_rows) return;
  pair->current[row].count += growth->count;
  pair->current[row].bytes += growth->bytes;
  pair->current[row].ticks += growth->ticks;
}

/* Doubles the window length. False: failed, or the log did not get shorter. */
static bool merge_pairs(struct cw_windows* windows) {
  struct cw_window_log* log = &windows->log;
  const uint32_t n_before = log->n_records;
  struct cw_window_log merged = cw_window_log_next(log);
  struct pair pair = {.log = &merged, .n_rows = windows->n_seen};
  cw_window_log_read(log, add_record, add_growth, &pair);
  write_sums(&pair);
  cw_window_log_publish(&merged, windows->region);
  cw_window_log_retire(log, &merged);
  *log = merged;
  windows->open_number /= 2;
  return !pair.failed && log->n_records < n_before;
}

/* Writes the growth of all rows since the last record. `seen` first becomes the growth, then the new sum. */
static bool write_growth(struct cw_row_table* table) {
  struct cw_windows* windows = table->windows;
  const uint32_t n = table->n_rows;
  if (n > windows->n_seen) {
    struct cw_growth* seen = realloc(windows->seen, n * sizeof *seen);
    if (seen == NULL) return false;
    memset(seen + windows->n_seen, 0, (n - windows->n_seen) * sizeof *seen);
    windows->seen = seen;
    windows->n_seen = n;
  }
  for (uint32_t i = 0; i < n; ++i) {
    const struct cw_profile_row* row = cw_row_at(table, i);
    struct cw_growth* seen = &windows->seen[i];
    *seen = (struct cw_growth){row->count - seen->count, row->bytes - seen->bytes, row->ticks - seen->ticks};
  }
  const bool written =
      cw_window_log_append(&windows->log, windows->open_number, windows->region, windows->seen, n);
  for (uint32_t i = 0; i < n; ++i) {
    const struct cw_profile_row* row = cw_row_at(table, i);
    windows->seen[i] = (struct cw_growth){row->count, row->bytes, row->ticks};
  }
  cw_window_log_publish(&windows->log, windows->region);
  return written;
}

static bool is_too_long(const struct cw_window_log* log) {
  return log->n_records > kMostRecords || (log->n_chunks >= CW_LOG_MOST_CHUNKS / 2 && log->n_records > 2);
}

static void begin_windows(struct cw_row_table* table) {
  struct cw_windows* windows = calloc(1, sizeof *windows);
  if (windows == NULL) {
    table->window_end = UINT64_MAX;
    return;
  }
  windows->log.window_ns = kWindowNs;
  windows->log.thread = table->thread;
  windows->region = atomic_load(&process_region);
  table->windows = windows;
  open_window(table);
}

void cw_windows_close(struct cw_row_table* table) {
  struct cw_windows* windows = table->windows;
  if (windows == NULL) {
    begin_windows(table);
    return;
  }
  bool written = write_growth(table);
  while (written && is_too_long(&windows->log)) written = merge_pairs(windows);
  if (!written) {
    discard_windows(table);
    return;
  }
  windows->region = atomic_load(&process_region);
  cw_window_log_publish(&windows->log, windows->region);
  cw_store_reserve(); /* here, because the time of this function is not part of any call's time */
  open_window(table);
}

void cw_windows_region(struct cw_row_table* table, int32_t level) {
  if (table != NULL && table->window_end == 0) begin_windows(table);
  atomic_store(&process_region, level);
  if (table != NULL && table->window_end != UINT64_MAX) cw_windows_close(table);
}
