/* The network card nearest a mask, from hwloc's I/O objects: OpenFabrics devices first, then other physical
 * network devices. Virtual devices (bridges, loopback, tunnels) are attached to no bus and don't count. */
#include "nic.h"

#include <stdbool.h>

static bool is_physical(hwloc_obj_t device) {
  for (hwloc_obj_t object = device; object != NULL; object = object->parent) {
    if (object->type == HWLOC_OBJ_PCI_DEVICE) return true;
  }
  return false;
}

/* The smallest object around a device that holds PUs of the mask. */
static hwloc_obj_t reached_from(const struct cw_machine* machine, hwloc_obj_t device) {
  hwloc_obj_t object = hwloc_get_non_io_ancestor_obj(machine->topology, device);
  while (object->parent != NULL && !hwloc_bitmap_intersects(object->cpuset, machine->mask))
    object = object->parent;
  return object;
}

/* Levels of the tree from the object that a device is attached to up to the one that reaches the mask. */
static int levels_up(const struct cw_machine* machine, hwloc_obj_t device, hwloc_obj_t reached) {
  int levels = 0;
  for (hwloc_obj_t object = hwloc_get_non_io_ancestor_obj(machine->topology, device); object != reached;
       object = object->parent)
    ++levels;
  return levels;
}

static void take_nearest(struct cw_machine* machine, hwloc_obj_osdev_type_t type) {
  int least = 0;
  hwloc_obj_t device = NULL;
  while ((device = hwloc_get_next_osdev(machine->topology, device)) != NULL) {
    if (device->attr->osdev.type != type || !is_physical(device)) continue;
    const hwloc_obj_t reached = reached_from(machine, device);
    const int levels = levels_up(machine, device, reached);
    /* Of equally near cards, the one that is attached to a smaller part of the machine. */
    const bool nearer =
        machine->nic == NULL || levels < least || (levels == least && reached->depth > machine->near->depth);
    if (!nearer) continue;
    machine->nic = device;
    machine->near = reached;
    least = levels;
  }
}

void cw_machine_find_nic(struct cw_machine* machine) {
  take_nearest(machine, HWLOC_OBJ_OSDEV_OPENFABRICS);
  if (machine->nic == NULL) take_nearest(machine, HWLOC_OBJ_OSDEV_NETWORK);
}

const char* cw_nic_kind(hwloc_obj_t nic) {
  return nic->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS ? "OpenFabrics" : "network";
}
