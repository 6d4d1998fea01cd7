/* What the messenger of a node does once an interval: it sends the node's report on, and posts what others
 * sent. */
#ifndef COREWISE_STEER_MESSENGER_H
#define COREWISE_STEER_MESSENGER_H

#include "board.h"
#include "channel.h"

struct cw_messenger {
  struct cw_board* board;
  const struct cw_node_map* map;
  int64_t* sent;   /* [node] number of the last report that was sent there */
  bool* is_wanted; /* [node] whose ranks exchange bytes with this node's */
  struct cw_report report;
};

/* False: no memory. */
bool cw_messenger_start(struct cw_messenger* messenger, struct cw_board* board,
                        const struct cw_node_map* map);

/* Receives what is there, and sends the node's newest report to the group of nodes that exchange bytes with
 * it, and to the one that it asks for something. A node whose last message is still under way is passed over.
 */
void cw_messenger_step(struct cw_messenger* messenger);

#endif
