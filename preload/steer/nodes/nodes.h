/* The part of steering between the nodes of a job: all that the rest of steering asks of it.
 *
 * Where the job has one node, or a node can't open its board, there is no struct cw_nodes: every function
 * takes NULL and does nothing, so that the node is steered by itself. */
#ifndef COREWISE_STEER_NODES_H
#define COREWISE_STEER_NODES_H

#include "decide.h"

/* Of every rank. */
struct cw_nodes;

/* Of the rank that leads a node: what is known of other nodes, and this node's next report. */
struct cw_other_nodes;

/* In MPI_Init, by all ranks of MPI_COMM_WORLD: a collective call, which a rank that can't continue makes too,
 * with `able` false. `identity` is the same for the ranks of a node, and another one on any other. False:
 * some rank is not able or has no memory, or MPI failed. */
bool cw_nodes_exchange(bool able, uint64_t identity);

/* After that: how many ranks this node has; 0: not known, because the ranks did not meet. */
int cw_nodes_ranks_here(void);

/* Opens the board at `path`, a file that the ranks of the node share. `node` gets the number of this node in
 * a job of several. */
struct cw_nodes* cw_nodes_join(const char* path, int64_t* node);

/* Once an interval, by every rank: the node's messenger sends and receives reports. */
void cw_nodes_step(struct cw_nodes* nodes);

/* At the start of MPI_Finalize, by all ranks that met: waits for the others and for all messages, at most a
 * minute (channel.h). */
void cw_nodes_part(void);

/* A new leader, which has heard nothing yet. NULL: no memory, or no other nodes. Ended by free(). */
struct cw_other_nodes* cw_nodes_lead(struct cw_nodes* nodes);

/* Adds to a snapshot what the ranks of other nodes did since the last one, what they ask this node for, and
 * how many messages this node sent for it. Of a node that tells nothing for two seconds nothing is known. */
void cw_other_nodes_take(struct cw_other_nodes* others, int64_t now_ns, struct cw_snapshot* snapshot);

/* Begins this node's next report, from its part of the snapshot. */
void cw_other_nodes_begin_report(struct cw_other_nodes* others, const struct cw_steering* steering,
                                 const struct cw_snapshot* snapshot);

/* Adds a rank with its totals. One without a sample in that snapshot is left out. */
void cw_other_nodes_tell(struct cw_other_nodes* others, const struct cw_snapshot* snapshot,
                         const struct cw_rank_sample* total, const struct cw_peer_sample* peers,
                         int64_t n_peers);

/* The leader decided to ask the node of a rank for something: the next report says so. */
void cw_other_nodes_ask(struct cw_other_nodes* others, const struct cw_proposal* proposal);

/* Posts the report. */
void cw_other_nodes_end_report(struct cw_other_nodes* others);

#endif
