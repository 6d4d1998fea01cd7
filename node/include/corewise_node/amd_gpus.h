/* AMD GPUs in the order of ROCR_VISIBLE_DEVICES, as their Linux driver (KFD) lists them: one for each
 * partition of a divided GPU. hwloc's own plugin for AMD GPUs would start ROCm. */
#ifndef COREWISE_NODE_AMD_GPUS_H
#define COREWISE_NODE_AMD_GPUS_H

#include <hwloc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The folder in which KFD lists its nodes; these include CPUs. */
#define CW_AMD_GPU_NODES "/sys/class/kfd/kfd/topology/nodes"

/* Name of the info that a PCI device gets for each of its GPUs. The value is "NUMBER UUID", the UUID in 16
 * hexadecimal digits. */
#define CW_AMD_GPU_INFO "CorewiseAmdGpu"

/* Adds the infos to the PCI devices of this machine's topology. `nodes` is a folder such as CW_AMD_GPU_NODES;
 * does nothing if it does not exist. */
void cw_node_add_amd_gpus(hwloc_topology_t topology, const char* nodes);

#ifdef __cplusplus
}
#endif
#endif
