/* The device that network threads are placed near: a network card, or the device of options.near. */
#ifndef CW_AFFINITY_DEVICE_H
#define CW_AFFINITY_DEVICE_H

#include "machine.h"

/* Fills machine->device and machine->near; needs machine->topology and machine->mask. If the machine has no
 * device options->near, writes a message and returns `failure`. */
cw_status_t cw_machine_find_device(const cw_thread_plan_options_t* options, cw_status_t failure,
                                   struct cw_machine* machine);

enum { DEVICE_NAME_SIZE = 128 };

/* The operating system's name of a device, else its PCI bus id ("0000:3b:00.0"); at most size - 1 bytes. */
void cw_device_name(hwloc_obj_t device, char* name, size_t size);

/* "OpenFabrics", "network", "GPU", "PCI" or "device". */
const char* cw_device_kind(hwloc_obj_t device);

#endif
