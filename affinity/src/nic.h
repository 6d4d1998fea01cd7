/* The network card nearest a process's mask. */
#ifndef CW_AFFINITY_NIC_H
#define CW_AFFINITY_NIC_H

#include "machine.h"

/* Fills machine->nic and machine->near, once topology and mask are there. */
void cw_machine_find_nic(struct cw_machine* machine);

/* "OpenFabrics" or "network". */
const char* cw_nic_kind(hwloc_obj_t nic);

#endif
