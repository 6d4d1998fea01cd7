/* One-sided calls as events. */
#include "record_rma.h"

#include <corewise_formats/profile.h>

#include "emit.h"
#include "groups.h"
#include "types.h"

static int32_t peer_of(MPI_Win win, int target) {
  const struct cw_group* group = cw_group_of_win(win);
  return group != NULL && target >= 0 && (uint32_t)target < group->n
             ? cw_peer_of_member(group, (uint32_t)target)
             : -1;
}

static void emit_access(uint16_t call, const struct cw_span* span, uint8_t direction, MPI_Count count,
                        MPI_Datatype type, int target, MPI_Win win) {
  if (target == MPI_PROC_NULL) {
    cw_emit_call(call, span);
  } else {
    cw_emit_message(call, span, direction, (struct cw_peer){peer_of(win, target), 0}, cw_bytes(count, type));
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
  if (target != MPI_PROC_NULL)
    cw_emit_transfer(call, span, CW_ROW_FROM_PEER, peer_of(win, target), cw_bytes(count, type));
}
