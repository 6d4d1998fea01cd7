/* Loads the topology, determines the PUs that the process may use, and lists the cores or PUs for threads. */
#include "machine.h"

#include <stdlib.h>

#include "failure.h"

/* Disables hwloc plugins that are not needed to find devices: the GPU plugins would start drivers, and plugin
 * "pci" leaks memory (libpciaccess). hwloc's Linux backend finds PCI devices without them. */
static void disable_plugins(hwloc_topology_t topology) {
  const char* const plugins[] = {"cuda", "gl", "levelzero", "nvml", "opencl", "pci", "rsmi"};
  for (size_t i = 0; i < sizeof plugins / sizeof plugins[0]; ++i)
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, plugins[i]);
}

static cw_status_t load_topology(const cw_thread_plan_options_t* options, hwloc_topology_t* topology_p) {
  if (options->topology != NULL)
    return hwloc_topology_dup(topology_p, options->topology) == 0 ? CW_OK : CW_ERR_NO_MEMORY;
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return CW_ERR_NO_MEMORY;
  disable_plugins(topology);
  hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  const char* source = "this machine";
  int failed = 0;
  if (options->xml_path != NULL) {
    source = options->xml_path;
    failed = hwloc_topology_set_xml(topology, source);
  } else if (options->synthetic != NULL) {
    source = options->synthetic;
    failed = hwloc_topology_set_synthetic(topology, source);
  }
  if (failed == 0) failed = hwloc_topology_load(topology);
  if (failed != 0) {
    hwloc_topology_destroy(topology);
    return cw_fail(options, CW_ERR_TOPOLOGY, "hwloc could not read '%s': does lstopo show it?", source);
  }
  *topology_p = topology;
  return CW_OK;
}

static cw_status_t find_mask(const cw_thread_plan_options_t* options, struct cw_machine* machine) {
  machine->mask = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(machine->topology));
  if (machine->mask == NULL) return CW_ERR_NO_MEMORY;
  hwloc_bitmap_and(machine->mask, machine->mask, hwloc_topology_get_topology_cpuset(machine->topology));
  if (options->mask != NULL) {
    hwloc_bitmap_and(machine->mask, machine->mask, options->mask);
  } else if (hwloc_topology_is_thissystem(machine->topology)) {
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    if (bound == NULL) return CW_ERR_NO_MEMORY;
    const int failed = hwloc_get_cpubind(machine->topology, bound, HWLOC_CPUBIND_PROCESS);
    if (failed == 0) hwloc_bitmap_and(machine->mask, machine->mask, bound);
    hwloc_bitmap_free(bound);
    if (failed != 0) return cw_fail(options, CW_ERR_SYSTEM, "the binding of this process cannot be read");
  }
  if (hwloc_bitmap_iszero(machine->mask))
    return cw_fail(options, CW_ERR_ARGUMENT, "no PU of the mask is online and allowed on this machine");
  return CW_OK;
}

/* The core of a PU; the PU itself if hwloc found no cores. */
static hwloc_obj_t core_of(hwloc_topology_t topology, hwloc_obj_t pu) {
  const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
  return core != NULL ? core : pu;
}

/* hwloc has CPU kinds since 2.4; -1 for all kinds if it cannot rank them. */
static int efficiency_of(hwloc_topology_t topology, hwloc_obj_t object) {
  int efficiency = -1;
#if HWLOC_API_VERSION >= 0x00020400
  const int kind = hwloc_cpukinds_get_by_cpuset(topology, object->cpuset, 0);
  if (kind >= 0) hwloc_cpukinds_get_info(topology, (unsigned)kind, NULL, &efficiency, NULL, NULL, 0);
#else
  (void)topology, (void)object;
#endif
  return efficiency;
}

static void free_places(struct cw_machine* machine) {
  for (size_t i = 0; i < machine->n_places; ++i) hwloc_bitmap_free(machine->places[i].pus);
  free(machine->places);
  machine->places = NULL;
  machine->n_places = 0;
}

/* Lists cores, or PUs, that have PUs in the mask. */
static cw_status_t list_places(struct cw_machine* machine, bool by_core) {
  free_places(machine);
  machine->places = calloc((size_t)hwloc_bitmap_weight(machine->mask), sizeof *machine->places);
  if (machine->places == NULL) return CW_ERR_NO_MEMORY;
  hwloc_obj_t pu = NULL, last = NULL;
  while ((pu = hwloc_get_next_obj_by_type(machine->topology, HWLOC_OBJ_PU, pu)) != NULL) {
    if (!hwloc_bitmap_isset(machine->mask, pu->os_index)) continue;
    const hwloc_obj_t object = by_core ? core_of(machine->topology, pu) : pu;
    if (object == last) continue;
    last = object;
    struct cw_place* place = &machine->places[machine->n_places++];
    place->object = object;
    place->efficiency = efficiency_of(machine->topology, object);
    place->pus = hwloc_bitmap_dup(object->cpuset);
    if (place->pus == NULL) return CW_ERR_NO_MEMORY;
    hwloc_bitmap_and(place->pus, place->pus, machine->mask);
  }
  return CW_OK;
}

/* Restricts the mask to one rank's part: a contiguous run of at least one core. */
static void restrict_to_part(struct cw_machine* machine, unsigned rank, unsigned size) {
  const size_t n_cores = machine->n_places;
  const size_t first = rank * n_cores / size;
  size_t end = (rank + (size_t)1) * n_cores / size;
  if (end == first) ++end;
  hwloc_bitmap_zero(machine->mask);
  for (size_t i = first; i < end; ++i) hwloc_bitmap_or(machine->mask, machine->mask, machine->places[i].pus);
}

cw_status_t cw_machine_load(const cw_thread_plan_options_t* options, struct cw_machine* machine) {
  *machine = (struct cw_machine){0};
  cw_status_t status = load_topology(options, &machine->topology);
  if (status == CW_OK) status = find_mask(options, machine);
  if (status == CW_OK) status = list_places(machine, true);
  if (status == CW_OK && options->local_size > 1) {
    restrict_to_part(machine, options->local_rank, options->local_size);
    status = list_places(machine, true);
  }
  if (status != CW_OK) return status;
  machine->n_cores = machine->n_places;
  machine->n_pus = (size_t)hwloc_bitmap_weight(machine->mask);
  return CW_OK;
}

cw_status_t cw_machine_find_places(struct cw_machine* machine, size_t n_threads) {
  const cw_status_t status = list_places(machine, n_threads <= machine->n_cores);
  if (status != CW_OK || machine->near == NULL) return status;
  while (!hwloc_bitmap_intersects(machine->places[machine->near_place].pus, machine->near->cpuset))
    ++machine->near_place;
  return CW_OK;
}

void cw_machine_free(struct cw_machine* machine) {
  free_places(machine);
  hwloc_bitmap_free(machine->mask);
  if (machine->topology != NULL) hwloc_topology_destroy(machine->topology);
}
