/* corewise-topology FOLDER: writes the part of this node's topology that this process may use, as hwloc XML.
 *
 * The file is named after the node (cw_node_file_name()), so that processes on many nodes can write to one
 * folder. The root object has the names of the node as infos. */
#include <corewise_node/amd_gpus.h>
#include <corewise_node/identity.h>
#include <errno.h>
#include <hwloc.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* hwloc respects the cgroup, but not an inherited affinity mask. */
static bool restrict_to_own_mask(hwloc_topology_t topology) {
  hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
  const bool done = allowed != NULL && (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) != 0 ||
                                        hwloc_topology_restrict(topology, allowed, 0) == 0);
  hwloc_bitmap_free(allowed);
  return done;
}

/* Includes network cards and GPUs, as Linux lists them in files. Excludes hwloc's plugins for GPUs, which
 * would start the drivers, and libpciaccess, which never frees its memory. */
static void look_for_devices(hwloc_topology_t topology) {
  const char* const plugins[] = {"cuda", "gl", "levelzero", "nvml", "opencl", "pci", "rsmi"};
  for (size_t i = 0; i < sizeof plugins / sizeof plugins[0]; ++i)
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, plugins[i]);
  hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
}

static void add_names(hwloc_topology_t topology, const struct cw_node* node) {
  const hwloc_obj_t root = hwloc_get_root_obj(topology);
  hwloc_obj_add_info(root, "CorewiseHost", node->host);
  hwloc_obj_add_info(root, "CorewiseId", node->id);
  hwloc_obj_add_info(root, "CorewiseBatchName", node->batch_name);
  hwloc_obj_add_info(root, "CorewiseAddresses", node->addresses);
}

/* The file is renamed when it is complete. */
static bool write_xml(hwloc_topology_t topology, const char* folder, const struct cw_node* node) {
  char name[NAME_MAX + 1], path[PATH_MAX], draft[PATH_MAX];
  if (cw_node_file_name(node, name, sizeof name) >= (int)sizeof name ||
      snprintf(path, sizeof path, "%s/%s.xml", folder, name) >= (int)sizeof path ||
      snprintf(draft, sizeof draft, "%s/%016llx.new", folder, cw_node_draw()) >= (int)sizeof draft) {
    errno = ENAMETOOLONG;
    return false;
  }
  return hwloc_topology_export_xml(topology, draft, 0) == 0 && rename(draft, path) == 0;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: corewise-topology FOLDER\n");
    return 2;
  }
  struct cw_node node;
  cw_node_find(&node);
  hwloc_topology_t topology = NULL;
  const bool ready = hwloc_topology_init(&topology) == 0;
  if (ready) look_for_devices(topology);
  if (!ready || hwloc_topology_load(topology) != 0 || !restrict_to_own_mask(topology)) {
    fprintf(stderr, "corewise-topology: hwloc can't read the topology of %s: %s\n", node.host,
            strerror(errno));
    return 1;
  }
  cw_node_add_amd_gpus(topology, CW_AMD_GPU_NODES);
  add_names(topology, &node);
  const bool written = write_xml(topology, argv[1], &node);
  if (!written)
    fprintf(stderr, "corewise-topology: %s can't write into %s: %s; every node must see that folder\n",
            node.host, argv[1], strerror(errno));
  hwloc_topology_destroy(topology);
  return written ? 0 : 1;
}
