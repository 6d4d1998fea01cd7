/* The cores of one node: their hardware threads, shared caches and NUMA domains. */
#ifndef COREWISE_STEER_MACHINE_H
#define COREWISE_STEER_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "fields.h"

/* Indices are logical and count within this node, except for PUs. */
struct cw_steer_core {
  int64_t id;
  struct cw_list pus;    /* os_index of each hardware thread */
  struct cw_list caches; /* [level] -> cache of that level; level 0 is the innermost */
  int64_t numa;          /* NUMA domain */
  int64_t package;
  int64_t capability; /* relative speed without other load, parts per thousand of the fastest core */
};

enum { CW_STEER_INDEXED_PUS = 1024 /* PUs below this os_index are in `core_after` */ };

struct cw_steer_machine {
  int32_t n_cores;
  int32_t near_level; /* innermost cache level that any two cores share; -1: none */
  struct cw_steer_core cores[CW_STEER_MOST_CORES]; /* [id] */
  int16_t core_after[CW_STEER_INDEXED_PUS];        /* [os_index] -> core + 1; 0: no core */
};

/* Adds a line "core ..." of a log (FORMATS.md), without '\n', to `machine`, which is all zero at first.
 * False: `message` describes the error. */
bool cw_steer_machine_add_line(struct cw_steer_machine* machine, const char* line, char* message);

/* Called after the last line. False: there is no core. */
bool cw_steer_machine_complete(struct cw_steer_machine* machine, char* message);

/* Appends the lines of a machine. */
void cw_steer_machine_write(const struct cw_steer_machine* machine, struct cw_buffer* buffer);

/* The core of a PU; -1: none. */
int64_t cw_steer_core_of_pu(const struct cw_steer_machine* machine, int64_t pu);

/* Do two cores share a cache of `near_level`? True for a core and itself. */
bool cw_steer_cores_near(const struct cw_steer_machine* machine, int64_t a, int64_t b);

bool cw_steer_same_numa(const struct cw_steer_machine* machine, int64_t a, int64_t b);

#endif
