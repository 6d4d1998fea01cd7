/* AMD's GPUs as their Linux driver (KFD) lists them: in the order by which ROCR_VISIBLE_DEVICES counts, and
 * one for each partition of a divided GPU. hwloc's own plugin for them would start ROCm. */
#ifndef COREWISE_NODE_AMD_GPUS_H
#define COREWISE_NODE_AMD_GPUS_H

#include <hwloc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where KFD lists its nodes, CPUs among them. */
#define CW_AMD_GPU_NODES "/sys/class/kfd/kfd/topology/nodes"

/* The name of the info that a PCI device gets for each of its GPUs: "NUMBER UUID", the UUID in 16 hexadecimal
 * digits. */
#define CW_AMD_GPU_INFO "CorewiseAmdGpu"

/* Adds the info to the PCI devices of the topology, which must be this machine's. `nodes` is a folder such as
 * CW_AMD_GPU_NODES; where it is missing nothing happens. */
void cw_node_add_amd_gpus(hwloc_topology_t topology, const char* nodes);

#ifdef __cplusplus
}
#endif
#endif
