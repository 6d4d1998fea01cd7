/* Messages between the nodes of a job, one rank of each: over a communicator of steering's own, never
 * waiting.
 *
 * Nothing here is done but inside calls that the program makes, on their threads. A message is sent to a node
 * only once the last one to it was received, so what is under way stays bounded. */
#ifndef COREWISE_STEER_NODE_CHANNEL_H
#define COREWISE_STEER_NODE_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

/* Which node each rank of MPI_COMM_WORLD is on. Nodes count from 0, in the order of their lowest ranks. */
struct cw_node_map {
  int32_t n_ranks;
  int32_t n_nodes; /* 0: the channel is not open */
  int32_t node;    /* of this process */
  int32_t rank;
  int32_t* node_of;      /* [rank] */
  int32_t* messenger_of; /* [node] its lowest rank, which sends and receives for it */
};

extern struct cw_node_map cw_node_map;

/* In MPI_Init, by all ranks of MPI_COMM_WORLD: a collective call, which a rank that can't go on makes too,
 * with `able` false. `identity` is the same for the ranks of a node, and another one on any other. False:
 * some rank is not able or has no memory, or MPI failed. */
bool cw_node_channel_open(bool able, uint64_t identity);

/* Begins to send to the messenger of a node; by this node's own. False: the last message to it was not
 * received yet, or there is no memory; nothing is sent. */
bool cw_node_channel_send(int32_t node, const uint64_t* words, int n_words);

/* The next message that has arrived: its length in words, at most `most`; 0: none is there. By the messenger.
 */
int cw_node_channel_receive(uint64_t* words, int most);

/* At the start of MPI_Finalize, by all ranks: waits for all of them, as MPI_Finalize does, then until all
 * messages have arrived, at most a minute. A rank where MPI fails comes to both ends, too; one that can't for
 * a minute continues, and then others wait for it without success. */
void cw_node_channel_close(void);

#endif
