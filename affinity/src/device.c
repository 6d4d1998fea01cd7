/* Finds the device that network threads are placed near, among hwloc's I/O objects: the device of
 * options.near, or the network card nearest the mask. OpenFabrics and Slingshot devices are preferred to
 * other network devices. Virtual devices (bridges, loopback, tunnels) have no PCI parent and are ignored. */
#include "device.h"

#include <stdbool.h>
#include <stdio.h>

#include "failure.h"
#include "text.h"

enum { DISPLAY = 0x03, ACCELERATOR = 0x12 }; /* PCI base classes */
enum { HPE = 0x17db };                       /* PCI vendor of Slingshot cards */

static hwloc_obj_t pci_of(hwloc_obj_t device) {
  while (device != NULL && device->type != HWLOC_OBJ_PCI_DEVICE) device = device->parent;
  return device;
}

/* The same rule as in core/src/topology/hwloc_devices.cpp. Display controllers of other vendors, and ATI's
 * Rage XL and ES1000 chips, only drive a server's console. */
static bool is_gpu(hwloc_obj_t pci) {
  const unsigned base_class = pci->attr->pcidev.class_id >> 8U;
  const unsigned vendor = pci->attr->pcidev.vendor_id, chip = pci->attr->pcidev.device_id;
  if (base_class != DISPLAY && base_class != ACCELERATOR) return false;
  if (chip == 0x4752 || chip == 0x515e || chip == 0x5969) return false;
  return vendor == 0x1002 || vendor == 0x10de || vendor == 0x8086; /* AMD, NVIDIA, Intel */
}

enum { BUS_ID_SIZE = 32 };

static void write_bus_id(hwloc_obj_t pci, char* bus_id) {
  snprintf(bus_id, BUS_ID_SIZE, "%04x:%02x:%02x.%01x", pci->attr->pcidev.domain, pci->attr->pcidev.bus,
           pci->attr->pcidev.dev, pci->attr->pcidev.func);
}

/* Which devices to search for: GPUs, devices of a type, or one device by name. */
struct wanted {
  hwloc_obj_osdev_type_t type;
  bool fabric; /* Slingshot cards as well: for hwloc they are plain network devices */
  bool gpu;
  const char* name; /* device name or PCI bus id; NULL: any */
};

static bool is_wanted(hwloc_obj_t device, const struct wanted* wanted) {
  const hwloc_obj_t pci = pci_of(device);
  if (pci == NULL) return false;
  if (wanted->gpu) return device == pci && is_gpu(pci);
  if (wanted->name == NULL) {
    if (device->type != HWLOC_OBJ_OS_DEVICE) return false;
    const bool slingshot =
        pci->attr->pcidev.vendor_id == HPE && device->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK;
    return device->attr->osdev.type == wanted->type || (wanted->fabric && slingshot);
  }
  char bus_id[BUS_ID_SIZE];
  write_bus_id(pci, bus_id);
  return device == pci ? strcmp(bus_id, wanted->name) == 0
                       : device->name != NULL && strcmp(device->name, wanted->name) == 0;
}

/* The smallest hwloc object that contains the device and PUs of the mask. */
static hwloc_obj_t reached_from(const struct cw_machine* machine, hwloc_obj_t device) {
  hwloc_obj_t object = hwloc_get_non_io_ancestor_obj(machine->topology, device);
  while (object->parent != NULL && !hwloc_bitmap_intersects(object->cpuset, machine->mask))
    object = object->parent;
  return object;
}

/* Number of tree levels from the object that the device is attached to up to `reached`. */
static int levels_up(const struct cw_machine* machine, hwloc_obj_t device, hwloc_obj_t reached) {
  int levels = 0;
  for (hwloc_obj_t object = hwloc_get_non_io_ancestor_obj(machine->topology, device); object != reached;
       object = object->parent)
    ++levels;
  return levels;
}

static void take_nearest(struct cw_machine* machine, const struct wanted* wanted, hwloc_obj_type_t kind) {
  int least = 0;
  for (hwloc_obj_t device = NULL;
       (device = hwloc_get_next_obj_by_type(machine->topology, kind, device)) != NULL;) {
    if (!is_wanted(device, wanted)) continue;
    const hwloc_obj_t reached = reached_from(machine, device);
    const int levels = levels_up(machine, device, reached);
    /* Among equally near devices, prefer the one whose object is a smaller part of the machine. */
    const bool nearer = machine->device == NULL || levels < least ||
                        (levels == least && reached->depth > machine->near->depth);
    if (!nearer) continue;
    machine->device = device;
    machine->near = reached;
    least = levels;
  }
}

static void take_network_card(struct cw_machine* machine) {
  const struct wanted fabric = {.type = HWLOC_OBJ_OSDEV_OPENFABRICS, .fabric = true};
  const struct wanted network = {.type = HWLOC_OBJ_OSDEV_NETWORK};
  take_nearest(machine, &fabric, HWLOC_OBJ_OS_DEVICE);
  if (machine->device == NULL) take_nearest(machine, &network, HWLOC_OBJ_OS_DEVICE);
}

static void list_names(const struct cw_machine* machine, struct cw_text* names) {
  for (hwloc_obj_t device = NULL; (device = hwloc_get_next_osdev(machine->topology, device)) != NULL;) {
    if (pci_of(device) != NULL && device->name != NULL)
      cw_text_add(names, "%s%s", names->length == 0 ? "" : ", ", device->name);
  }
  for (hwloc_obj_t pci = NULL; (pci = hwloc_get_next_pcidev(machine->topology, pci)) != NULL;) {
    if (!is_gpu(pci)) continue;
    char bus_id[BUS_ID_SIZE];
    write_bus_id(pci, bus_id);
    cw_text_add(names, "%s%s", names->length == 0 ? "" : ", ", bus_id);
  }
}

static cw_status_t fail_none(const struct cw_machine* machine, const cw_thread_plan_options_t* options,
                             cw_status_t status) {
  struct cw_text names = {0};
  list_names(machine, &names);
  cw_fail(options, status, "near '%s': no such device is known here; there are %s", options->near,
          names.failed || names.length == 0 ? "none" : names.data);
  cw_text_free(&names);
  return status;
}

cw_status_t cw_machine_find_device(const cw_thread_plan_options_t* options, cw_status_t failure,
                                   struct cw_machine* machine) {
  if (options->near == NULL || strcmp(options->near, "nic") == 0) {
    take_network_card(machine);
  } else if (strcmp(options->near, "gpu") == 0) {
    const struct wanted gpu = {.gpu = true};
    take_nearest(machine, &gpu, HWLOC_OBJ_PCI_DEVICE);
  } else {
    const struct wanted named = {.name = options->near};
    take_nearest(machine, &named, HWLOC_OBJ_OS_DEVICE);
    if (machine->device == NULL) take_nearest(machine, &named, HWLOC_OBJ_PCI_DEVICE);
  }
  if (machine->device == NULL && options->near != NULL) return fail_none(machine, options, failure);
  return CW_OK;
}

void cw_device_name(hwloc_obj_t device, char* name, size_t size) {
  char bus_id[BUS_ID_SIZE];
  if (device->type == HWLOC_OBJ_PCI_DEVICE) write_bus_id(device, bus_id);
  snprintf(name, size, "%s", device->type == HWLOC_OBJ_PCI_DEVICE ? bus_id : device->name);
}

const char* cw_device_kind(hwloc_obj_t device) {
  if (is_gpu(pci_of(device))) return "GPU";
  if (device->type != HWLOC_OBJ_OS_DEVICE) return "PCI";
  if (device->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS) return "OpenFabrics";
  return device->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK ? "network" : "device";
}
