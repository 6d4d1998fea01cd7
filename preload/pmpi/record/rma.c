/* See record_rma.h. */
#include "rma.h"

#include <corewise_formats/profile.h>

#include "calls/types.h"
#include "comms/groups.h"
#include "emit.h"

static void emit_access(uint16_t call, const struct cw_span* span, uint8_t direction, MPI_Count count,
                        MPI_Datatype type, int target, MPI_Win win) {
  if (target == MPI_PROC_NULL) {
    cw_emit_call(call, span);
  } else {
    const int32_t peer = cw_peer_in_group(cw_group_of_win(win), target).rank;
    cw_emit_message(call, span, direction, (struct cw_peer){peer, 0}, cw_bytes(count, type));
  }
}

void cw_record_put(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int target,
                   MPI_Win win) {
  emit_access(call, span, CW_ROW_TO_PEER, count, type, target, win);
}

void cw_record_get(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int target,
                   MPI_Win win) {
  emit_access(call, span, CW_ROW_FROM_PEER, count, type, target, win);
}

void cw_record_get_accumulate(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type,
                              int target, MPI_Win win) {
  emit_access(call, span, CW_ROW_TO_PEER, count, type, target, win);
  if (target == MPI_PROC_NULL) return;
  const int32_t peer = cw_peer_in_group(cw_group_of_win(win), target).rank;
  cw_emit_transfer(call, span, CW_ROW_FROM_PEER, peer, cw_bytes(count, type));
}
