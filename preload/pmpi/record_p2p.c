/* Point-to-point calls as events: they are counted where they are sent. */
#include "record_p2p.h"

#include <corewise_formats/profile.h>

#include "emit.h"
#include "groups.h"
#include "types.h"

void cw_record_send(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int dest,
                    MPI_Comm comm) {
  if (dest == MPI_PROC_NULL) {
    cw_emit_call(call, span);
    return;
  }
  cw_emit_message(call, span, CW_ROW_TO_PEER, cw_world_rank(comm, dest),
                  (uint64_t)count * cw_type_bytes(type));
}

void cw_record_psend(uint16_t call, const struct cw_span* span, int partitions, MPI_Count count,
                     MPI_Datatype type, int dest, MPI_Comm comm) {
  cw_record_send(call, span, partitions * count, type, dest, comm);
}
