/* See this_rank.h. */
#include "this_rank.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct cw_this_rank cw_this_rank = {.rank = -1};

bool cw_this_rank_reports(void) {
  static const char* const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
    const char* local_rank = getenv(names[i]);
    if (local_rank != NULL) return strcmp(local_rank, "0") == 0;
  }
  return cw_this_rank.rank == 0;
}
