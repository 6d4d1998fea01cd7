/* Two synthetic nodes for tests in C++, which has no C atomics: each has a board, a messenger and a leader's
 * view of the other node. The network between them keeps a message until it is received. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#include "decide.h"
#include "nodes/report.h"

typedef struct NodesTest NodesTest;

/* Ranks 0 and 1 on node 0, ranks 2 and 3 on node 1. */
NodesTest* nodes_test_make(void);
void nodes_test_free(NodesTest* test);

/* The leader of `node` posts a report with its part of a snapshot, and totals and peers of its ranks. */
void nodes_test_report(NodesTest* test, int node, const struct cw_steering* steering,
                       const struct cw_snapshot* snapshot, const struct cw_rank_sample* totals, int n_ranks,
                       const struct cw_peer_sample* peers, int n_peers);

/* Adds a request to the node's next report. */
void nodes_test_ask(NodesTest* test, int node, const struct cw_proposal* proposal);

/* One step of a node's messenger. */
void nodes_test_messenger(NodesTest* test, int node);

/* Number of messages on their way to a node, and number of all messages so far. */
int nodes_test_under_way(const NodesTest* test, int node);
int nodes_test_carried(const NodesTest* test);

/* Adds what the other node reported to a snapshot of `node`. */
void nodes_test_take(NodesTest* test, int node, int64_t now_ns, struct cw_snapshot* snapshot);

#ifdef __cplusplus
}
#endif
