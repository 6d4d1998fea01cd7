/* The trace observer: counts every call in rows; adds windows, events and communicators to the profile. */
#include "trace.h"

#include "../counters/rows.h"
#include "../store/store.h"
#include "comms.h"
#include "events.h"
#include "windows.h"

static void trace_start(void) {
  if (cw_store_rank()->traced != 0) return; /* MPI is started a second time: MPI_Init after a session */
  cw_rows_start(cw_windows_close);
  cw_store_rank()->traced = 1;
  cw_events_start();
}

static bool records_events(void) { return cw_store_rank()->mode == CW_MODE_EVENTS; }

static void take_call(const struct cw_call* call) {
  struct cw_row_table* table = cw_rows_of_thread();
  if (table != NULL) cw_events_add(table, call);
}

/* Windows need a clock, and the mode `count` reads none. */
static void take_region(int32_t level) {
  if (cw_store_rank()->mode != CW_MODE_COUNT) cw_windows_region(cw_thread.rows, level);
}

const struct cw_observer cw_trace_observer = {.version = CW_OBSERVER_VERSION,
                                              .name = "trace",
                                              .needs_store = true,
                                              .start = trace_start,
                                              .wants_calls = records_events,
                                              .after = take_call,
                                              .communicator = cw_trace_comm,
                                              .named = cw_trace_comm_named,
                                              .region = take_region};
