/* The messenger of a node: once per interval, sends the node's report and posts reports of others. */
#ifndef COREWISE_STEER_MESSENGER_H
#define COREWISE_STEER_MESSENGER_H

#include "board.h"
#include "channel.h"

struct cw_messenger {
  struct cw_board* board;
  const struct cw_node_map* map;
  int64_t* sent;   /* [node] number of the last report that was sent to it */
  bool* is_wanted; /* [node] its ranks exchange data with ranks of this node */
  struct cw_report report;
};

/* False: out of memory. */
bool cw_messenger_start(struct cw_messenger* messenger, struct cw_board* board,
                        const struct cw_node_map* map);

/* Receives what has arrived. Sends the node's newest report to nodes that it exchanges data with, and to the
 * node that it has a request for. Skips a node that has not received the last message yet. */
void cw_messenger_step(struct cw_messenger* messenger);

#endif
