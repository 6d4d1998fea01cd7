/* The device that a process's network threads are near: a network card, or another one that is asked for. */
#ifndef CW_AFFINITY_DEVICE_H
#define CW_AFFINITY_DEVICE_H

#include "machine.h"

/* Fills machine->device and machine->near, once topology and mask are there. Where options->near asks for a
 * device that is not there: `failure`, with a sentence. */
cw_status_t cw_machine_find_device(const cw_thread_plan_options_t* options, cw_status_t failure,
                                   struct cw_machine* machine);

enum { DEVICE_NAME_SIZE = 128 };

/* As the system calls it, else its PCI bus id ("0000:3b:00.0"); cut off at size - 1 bytes. */
void cw_device_name(hwloc_obj_t device, char* name, size_t size);

/* "OpenFabrics", "network", "GPU", "PCI" (by its bus id) or "device". */
const char* cw_device_kind(hwloc_obj_t device);

#endif
