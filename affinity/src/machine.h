/* The machine as the policies see it: its topology, the mask, and the places for threads. */
#ifndef CW_AFFINITY_MACHINE_H
#define CW_AFFINITY_MACHINE_H

#include <stdbool.h>

#include "corewise/affinity.h"

/* Where one thread can run: a core, or a PU where there are more threads than cores. */
struct cw_place {
  hwloc_obj_t object;
  hwloc_bitmap_t pus; /* those of the mask */
  int efficiency;     /* of hwloc's CPU kind: higher is faster; -1 if unknown */
};

struct cw_machine {
  hwloc_topology_t topology;
  hwloc_bitmap_t mask;
  size_t n_cores, n_pus; /* of the mask */
  struct cw_place* places;
  size_t n_places;    /* in tree order */
  hwloc_obj_t device; /* that network threads are near; NULL: none found */
  hwloc_obj_t near;   /* the smallest object around it that holds PUs of the mask; NULL without a device */
  size_t near_place;  /* the place nearest the device; the first one without a device */
};

/* Reads the topology and finds the mask, its cores and PUs. On failure too, cw_machine_free() frees it. */
cw_status_t cw_machine_load(const cw_thread_plan_options_t* options, struct cw_machine* machine);

/* Lists the places: a core for each thread where cores suffice, else PUs; and finds the one nearest the
 * device. */
cw_status_t cw_machine_find_places(struct cw_machine* machine, size_t n_threads);

void cw_machine_free(struct cw_machine* machine);

#endif
