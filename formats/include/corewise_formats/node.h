/* The identity of a node in files that are written on it (FORMATS.md, "Nodes"). */
#ifndef COREWISE_FORMATS_NODE_H
#define COREWISE_FORMATS_NODE_H

/* All texts end with 0. An empty text is unknown. */
struct cw_node {
  char host[256]; /* gethostname(2) */
  /* First 8 digits of the boot id, '-', inode number of the network namespace. Two nodes have the same id
   * only if they run on the same kernel in the same network namespace. */
  char id[64];
  char batch_name[256]; /* the node's name in its batch system, from SLURMD_NODENAME */
  char addresses[1024]; /* separated by spaces; without loopback and link-local addresses */
};

#endif
