/* Reads the properties of KFD's nodes (Linux, drivers/gpu/drm/amd/amdkfd/kfd_topology.c). */
#include <corewise_node/amd_gpus.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct properties {
  uint64_t simd_count, domain, location_id, unique_id;
};

enum outcome { READ, HIDDEN, NO_SUCH_NODE };

/* A node is hidden if a container may not use it. ROCm does not count such nodes either. */
static enum outcome read_properties(const char* nodes, int node, struct properties* found) {
  char path[PATH_MAX], name[64];
  uint64_t value;
  if (snprintf(path, sizeof path, "%s/%d/properties", nodes, node) >= (int)sizeof path) return NO_SUCH_NODE;
  FILE* file = fopen(path, "r");
  if (file == NULL) return errno == ENOENT ? NO_SUCH_NODE : HIDDEN;
  *found = (struct properties){0};
  bool any = false;
  while (fscanf(file, "%63s %" SCNu64, name, &value) == 2) {
    any = true;
    if (strcmp(name, "simd_count") == 0) found->simd_count = value;
    if (strcmp(name, "domain") == 0) found->domain = value;
    if (strcmp(name, "location_id") == 0) found->location_id = value;
    if (strcmp(name, "unique_id") == 0) found->unique_id = value;
  }
  fclose(file);
  return any ? READ : HIDDEN;
}

/* A location consists of bus, device and function; higher bits are the partition. */
static hwloc_obj_t pci_at(hwloc_topology_t topology, const struct properties* gpu) {
  const unsigned location = (unsigned)(gpu->location_id & 0xffffU);
  return hwloc_get_pcidev_by_busid(topology, (unsigned)gpu->domain, location >> 8U, (location >> 3U) & 0x1fU,
                                   location & 0x7U);
}

void cw_node_add_amd_gpus(hwloc_topology_t topology, const char* nodes) {
  enum outcome outcome = READ;
  struct properties gpu;
  int number = 0;
  for (int node = 0; (outcome = read_properties(nodes, node, &gpu)) != NO_SUCH_NODE; ++node) {
    if (outcome == HIDDEN || gpu.simd_count == 0) continue;
    char info[64];
    snprintf(info, sizeof info, "%d %016" PRIx64, number++, gpu.unique_id);
    const hwloc_obj_t pci = pci_at(topology, &gpu);
    if (pci != NULL) hwloc_obj_add_info(pci, CW_AMD_GPU_INFO, info);
  }
}
