/* Messages between nodes, one rank of each, over a separate communicator and without blocking.
 *
 * Everything happens inside MPI calls of the program, on its threads. The next message to a node is sent only
 * after the last one was received, so the number of messages in progress is bounded. */
#ifndef COREWISE_STEER_NODE_CHANNEL_H
#define COREWISE_STEER_NODE_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

/* The node of each rank of MPI_COMM_WORLD. Nodes are numbered from 0 in the order of their lowest ranks. */
struct cw_node_map {
  int32_t n_ranks;
  int32_t n_nodes; /* 0: the channel is closed */
  int32_t node;    /* of this process */
  int32_t rank;
  int32_t* node_of;      /* [rank] */
  int32_t* messenger_of; /* [node] lowest rank, which sends and receives for its node */
};

extern struct cw_node_map cw_node_map;

/* Collective over MPI_COMM_WORLD, in MPI_Init. A rank that can't continue calls it, too, with `able` false.
 * `identity` is equal on the ranks of a node and different between nodes. False: some rank is not able or has
 * no memory, or MPI failed. */
bool cw_node_channel_open(bool able, uint64_t identity);

/* The messenger starts sending to that of another node. False, and nothing is sent: the last message was not
 * received yet, or memory ran out. */
bool cw_node_channel_send(int32_t node, const uint64_t* words, int n_words);

/* The messenger takes the next message that has arrived, of at most `most` words. Returns its length; 0:
 * none. */
int cw_node_channel_receive(uint64_t* words, int most);

/* At the start of MPI_Finalize, on all ranks: waits for all ranks, as MPI_Finalize does, then at most a
 * minute for all messages. A rank on which MPI fails takes part, too. If that fails for a minute, the rank
 * continues, and the others wait for it without success. */
void cw_node_channel_close(void);

#endif
