/* Input of the policies: topology, the PUs that the process may use (mask), and places for threads. */
#ifndef CW_AFFINITY_MACHINE_H
#define CW_AFFINITY_MACHINE_H

#include <stdbool.h>

#include "corewise/affinity.h"

/* A place for one thread: a core, or a PU if there are more threads than cores. */
struct cw_place {
  hwloc_obj_t object;
  hwloc_bitmap_t pus; /* only PUs of the mask */
  int efficiency;     /* of hwloc's CPU kind: higher is faster; -1 if unknown */
};

struct cw_machine {
  hwloc_topology_t topology;
  hwloc_bitmap_t mask;
  size_t n_cores, n_pus;   /* of the mask */
  struct cw_place* places; /* in tree order */
  size_t n_places;
  hwloc_obj_t device; /* the device for network threads; NULL: none found */
  hwloc_obj_t near;   /* the smallest object that contains the device and PUs of the mask; NULL: no device */
  size_t near_place;  /* the place nearest the device; 0 without a device */
};

/* Fills topology, mask, n_cores and n_pus. Call cw_machine_free() after a failure too. */
cw_status_t cw_machine_load(const cw_thread_plan_options_t* options, struct cw_machine* machine);

/* Fills places and near_place. The places are cores if there are enough for n_threads, else PUs. */
cw_status_t cw_machine_find_places(struct cw_machine* machine, size_t n_threads);

void cw_machine_free(struct cw_machine* machine);

#endif
