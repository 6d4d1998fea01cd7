/* Destinations of neighbour collectives, resolved at first use and stored with the communicator's group. */
#include <pthread.h>
#include <stdlib.h>

#include "../../store/store.h"
#include "groups.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Ranks in `comm` that this process sends to, including MPI_PROC_NULL, in the order of neighbour collectives
 * (MPI 3.1, 7.6; for a Cartesian grid: by dimension, the negative direction first). The caller frees them.
 * NULL: out of memory, or no topology. */
static int* out_neighbors(MPI_Comm comm, int own_rank, uint32_t* n_found) {
  int topology = MPI_UNDEFINED;
  int n = 0;
  int n_in = 0;
  int weighted = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &n);
    n *= 2;
  } else if (topology == MPI_GRAPH) {
    PMPI_Graph_neighbors_count(comm, own_rank, &n);
  } else if (topology == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &n_in, &n, &weighted);
  } else {
    return NULL;
  }
  const size_t n_all = (size_t)n + (size_t)n_in + 1;
  int* out = malloc(n_all * sizeof *out);
  int* rest = malloc(3 * n_all * sizeof *rest); /* other outputs, unused: sources and both lists of weights */
  if (out == NULL || rest == NULL) {
    free(out);
    out = NULL;
  } else if (topology == MPI_CART) {
    for (int i = 0; i < n / 2; ++i) PMPI_Cart_shift(comm, i, 1, &out[2 * i], &out[2 * i + 1]);
  } else if (topology == MPI_GRAPH) {
    PMPI_Graph_neighbors(comm, own_rank, n, out);
  } else {
    PMPI_Dist_graph_neighbors(comm, n_in, rest, rest + n_all, n, out, rest + 2 * n_all);
  }
  free(rest);
  *n_found = (uint32_t)n;
  return out;
}

const struct cw_group* cw_neighbors_of_comm(MPI_Comm comm) {
  struct cw_group* group = (struct cw_group*)cw_group_of_comm(comm);
  if (group == NULL || group->inter) return NULL;
  pthread_mutex_lock(&lock);
  if (group->neighbors == NULL) {
    uint32_t n = 0;
    int* ranks = out_neighbors(comm, group->own_rank, &n);
    for (uint32_t i = 0; ranks != NULL && i < n; ++i)
      ranks[i] = ranks[i] == MPI_PROC_NULL ? -1 : cw_peer_of_member(group, (uint32_t)ranks[i]);
    group->n_neighbors = n;
    group->neighbors = ranks;
  }
  pthread_mutex_unlock(&lock);
  if (group->neighbors == NULL) cw_store_fault(CW_FAULT_UNRESOLVED);
  return group->neighbors == NULL ? NULL : group;
}
