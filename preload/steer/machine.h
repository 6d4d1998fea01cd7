/* The cores of one node, as far as steering needs them: hardware threads, shared caches, NUMA domains. */
#ifndef COREWISE_STEER_MACHINE_H
#define COREWISE_STEER_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "fields.h"

/* All numbers of cores are logical and count on this node. */
struct cw_steer_core {
  int64_t id;
  struct cw_list pus;    /* os_index of its hardware threads */
  struct cw_list caches; /* [level] -> which cache of that level it uses; level 0 is the innermost */
  int64_t numa;          /* NUMA domain */
  int64_t package;
  int64_t capability; /* relative speed without other load, parts per thousand of the fastest core */
};

enum { CW_STEER_INDEXED_PUS = 1024 /* PUs whose core is looked up, and not searched for */ };

struct cw_steer_machine {
  int32_t n_cores;
  int32_t near_level; /* innermost level of cache that two cores share anywhere; -1 where there is none */
  struct cw_steer_core cores[CW_STEER_MOST_CORES]; /* [id] */
  int16_t core_after[CW_STEER_INDEXED_PUS];        /* [os_index] -> the PU's core + 1; 0: of none */
};

/* One `core` line of a log (FORMATS.md), without its end of line, added to `machine` (all zero before the
 * first). False: `message` says what was found and what was expected. */
bool cw_steer_machine_add_line(struct cw_steer_machine* machine, const char* line, char* message);

/* After the last line. False where there is no core. */
bool cw_steer_machine_complete(struct cw_steer_machine* machine, char* message);

/* The same lines from a machine. */
void cw_steer_machine_write(const struct cw_steer_machine* machine, struct cw_buffer* buffer);

/* The core that has a PU; -1 where the machine has none. */
int64_t cw_steer_core_of_pu(const struct cw_steer_machine* machine, int64_t pu);

/* Whether two cores share a cache of `near_level`. True for a core and itself. */
bool cw_steer_cores_near(const struct cw_steer_machine* machine, int64_t a, int64_t b);

bool cw_steer_same_numa(const struct cw_steer_machine* machine, int64_t a, int64_t b);

#endif
