/// Settings that follow from a rank's mask: places of OpenMP threads, and NUMA nodes for its memory.
#ifndef COREWISE_BINDER_DOMAINS_H
#define COREWISE_BINDER_DOMAINS_H

#include "settings.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The kernel's description of CPUs and NUMA nodes. Tests use another folder.
#define CW_SYSTEM_FOLDER "/sys/devices/system"

/// NUMA nodes have os_index values below this; the kernel's limit, MAX_NUMNODES, is at most 1024.
#define CW_MAX_NUMA_NODES 1024

/// A set of NUMA nodes for set_mempolicy(2).
typedef struct cw_numa_nodes {
  unsigned long words[CW_MAX_NUMA_NODES / (8 * sizeof(unsigned long))];
} cw_numa_nodes_t;

/// The cores of `mask` in the format of OMP_PLACES, for example "{0,8},{1,9}", with those of their hardware
/// threads that are in the mask. If the kernel doesn't report a hardware thread's siblings, it counts as a
/// core.
/// @return memory that the caller frees; NULL: out of memory.
char* cw_places_of(const cw_mask_t* mask, const char* system_folder);

/// The NUMA nodes that have memory and a hardware thread of `mask`; empty if the kernel reports no nodes.
cw_numa_nodes_t cw_numa_nodes_of(const cw_mask_t* mask, const char* system_folder);

/// Makes this process, also after exec, allocate memory only in `nodes`, and verifies that.
/// @return 0, or the kernel's errno; EDOM: the kernel reports another policy than requested.
int cw_bind_memory(const cw_numa_nodes_t* nodes);

#ifdef __cplusplus
}
#endif

#endif
