/// What follows from a rank's mask: the places of its OpenMP threads and the domains of its memory.
#ifndef COREWISE_BINDER_DOMAINS_H
#define COREWISE_BINDER_DOMAINS_H

#include "settings.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where the kernel tells of CPUs and NUMA nodes; tests use their own folder.
#define CW_SYSTEM_FOLDER "/sys/devices/system"

/// NUMA nodes are numbered below this (os_index); the kernel's own limit, MAX_NUMNODES, is at most 1024.
#define CW_MAX_NUMA_NODES 1024

/// A set of NUMA nodes, as set_mempolicy(2) takes it.
typedef struct cw_numa_nodes {
  unsigned long words[CW_MAX_NUMA_NODES / (8 * sizeof(unsigned long))];
} cw_numa_nodes_t;

/// The cores of `mask` as OMP_PLACES writes them: "{0,8},{1,9}", each with those hardware threads of it that
/// are in the mask. A core whose siblings the kernel doesn't tell is one hardware thread.
/// @return memory that the caller frees; NULL if there is none left.
char* cw_places_of(const cw_mask_t* mask, const char* system_folder);

/// The NUMA nodes with memory that hold a hardware thread of `mask`; none if the kernel tells of no nodes.
cw_numa_nodes_t cw_numa_nodes_of(const cw_mask_t* mask, const char* system_folder);

/// Makes this process, and what it becomes, allocate in `nodes` only, and reads that back.
/// @return 0, or the errno of what the kernel refused; EDOM where it has another policy than was asked for.
int cw_bind_memory(const cw_numa_nodes_t* nodes);

#ifdef __cplusplus
}
#endif

#endif
