/* Steering between the nodes of a job: the interface for the rest of steering.
 *
 * If the job has one node, or if a node can't open its board, cw_nodes_join() returns NULL. The other
 * functions accept NULL and do nothing: each node is then steered without the others. */
#ifndef COREWISE_STEER_NODES_H
#define COREWISE_STEER_NODES_H

#include "decide.h"

/* State of each rank. */
struct cw_nodes;

/* State of a leader: what it knows of other nodes, and this node's next report. */
struct cw_other_nodes;

/* Collective over MPI_COMM_WORLD, in MPI_Init. A rank that can't continue must call it as well, with `able`
 * false. `identity` is equal on the ranks of a node and different between nodes. Returns false if any rank is
 * not able or has no memory, or if MPI failed. */
bool cw_nodes_exchange(bool able, uint64_t identity);

/* After cw_nodes_exchange(): number of ranks on this node, or 0 if the exchange failed. */
int cw_nodes_ranks_here(void);

/* Opens the board at `path`, a file that the ranks of the node share. Sets `node` to the number of this
 * node. */
struct cw_nodes* cw_nodes_join(const char* path, int64_t* node);

/* Called on every rank once per interval. One of them, the node's messenger, sends and receives reports. */
void cw_nodes_step(struct cw_nodes* nodes);

/* Called at the start of MPI_Finalize, on all ranks that took part in the exchange. Waits for all
 * ranks, then at most a minute for messages (channel.h). */
void cw_nodes_part(void);

/* For a new leader. NULL: no other nodes, or out of memory. Free it with free(). */
struct cw_other_nodes* cw_nodes_lead(struct cw_nodes* nodes);

/* Adds to a snapshot: samples of ranks of other nodes since the last snapshot, requests to this node, and the
 * number of messages that steering sent. A node is ignored after two seconds without a report. */
void cw_other_nodes_take(struct cw_other_nodes* others, int64_t now_ns, struct cw_snapshot* snapshot);

/* Starts this node's next report, from the node's part of the snapshot. */
void cw_other_nodes_begin_report(struct cw_other_nodes* others, const struct cw_steering* steering,
                                 const struct cw_snapshot* snapshot);

/* Adds a rank with its totals, if the snapshot has a sample of the rank. */
void cw_other_nodes_tell(struct cw_other_nodes* others, const struct cw_snapshot* snapshot,
                         const struct cw_rank_sample* total, const struct cw_peer_sample* peers,
                         int64_t n_peers);

/* Adds a request to the next report, for the node of the proposal's rank_a. */
void cw_other_nodes_ask(struct cw_other_nodes* others, const struct cw_proposal* proposal);

/* Publishes the report on the board, for the messenger. */
void cw_other_nodes_end_report(struct cw_other_nodes* others);

#endif
