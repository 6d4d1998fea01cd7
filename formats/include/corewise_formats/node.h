/* How a node names itself in the files that are written on it (FORMATS.md, "Nodes"). */
#ifndef COREWISE_FORMATS_NODE_H
#define COREWISE_FORMATS_NODE_H

/* All texts end in 0; an empty one is not known. */
struct cw_node {
  char host[256]; /* gethostname(2) */
  /* First 8 digits of the boot id, '-', inode number of the network namespace: two nodes have the same one
   * only where both run on one kernel and share its network. */
  char id[64];
  char batch_name[256]; /* the node's name in its batch system, where that says it: SLURMD_NODENAME */
  char addresses[1024]; /* separated by spaces; without those of the loopback and those of one link alone */
};

#endif
