/* What the parts of the library share: the machine as the policies see it, the plan, and the register of
 * policies. */
#ifndef CW_AFFINITY_PLAN_H
#define CW_AFFINITY_PLAN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "corewise/affinity.h"
#include "text.h"

/* One home of a thread: a core, or a PU where there are more threads than cores. */
struct cw_place {
  hwloc_obj_t object;
  hwloc_bitmap_t pus; /* those of the mask */
  int efficiency;     /* hwloc's kind of core: higher is faster; -1 where unknown */
};

struct cw_machine {
  hwloc_topology_t topology;
  hwloc_bitmap_t mask;
  size_t n_cores, n_pus; /* of the mask */
  struct cw_place* places;
  size_t n_places;   /* in tree order */
  hwloc_obj_t nic;   /* NULL: none found */
  hwloc_obj_t near;  /* the smallest object around the card that holds PUs of the mask; NULL without a card */
  size_t near_place; /* the place nearest the card; the first one without a card */
};

struct cw_planned_role {
  char* name;
  cw_duty_t duty;
  size_t count, first_thread;
  bool by_default;
};

struct cw_planned_thread {
  hwloc_bitmap_t cpuset;
  hwloc_bitmap_t nodeset; /* NULL: memory is inherited */
  atomic_int tid;         /* 0: not bound yet */
};

struct cw_thread_plan {
  const struct cw_policy* policy;
  struct cw_machine machine;
  struct cw_planned_role* roles;
  size_t n_roles;
  struct cw_planned_thread* threads;
  size_t n_threads;
  unsigned stride, local_rank, local_size;
  bool local_memory;
  struct cw_text notes; /* one line each */
};

/* A run of a sequence of places. */
struct cw_range {
  size_t first, n;
};

/* Which part of a sequence each duty gets, by enum cw_duty. */
struct cw_shares {
  struct cw_range of[3];
};

struct cw_policy {
  const char *name, *alias, *sentence; /* alias may be NULL */
  bool counts_cores;                   /* a thread for each core by default, else one for each PU */

  /* Either all threads share one mask or go by absolute numbers, and `bind` fills every cpuset; or every
   * thread has its place, and `order` fills `sequence` with all places (positions in machine.places), so that
   * the runs that `shares` gives to the duties lie well. */
  void (*bind)(struct cw_thread_plan* plan);
  bool (*order)(const struct cw_thread_plan* plan, const struct cw_shares* shares, size_t* sequence);
};

/* registry.c */
const struct cw_policy* cw_policy_find(const char* name);

/* options.c: the caller's options with their defaults, after the overrides. */
struct cw_settings {
  cw_thread_plan_options_t options;
  cw_role_t* roles;
  size_t n_roles;
  hwloc_bitmap_t mask; /* from the overrides; NULL: none */
  char* policy;        /* from the overrides; NULL: none */
};
cw_status_t cw_settings_create(const cw_thread_plan_options_t* options, struct cw_settings* settings);
void cw_settings_destroy(struct cw_settings* settings);

/* Says that there is no such policy, and which there are. */
cw_status_t cw_fail_policy(const cw_thread_plan_options_t* options, cw_status_t status, const char* name);

/* override.c */
bool cw_is_setting(const char* name);
cw_status_t cw_override_parse(const char* text, struct cw_settings* settings);

/* machine.c: topology and mask, then the places for so many threads. */
cw_status_t cw_machine_load(const cw_thread_plan_options_t* options, struct cw_machine* machine);
cw_status_t cw_machine_find_places(struct cw_machine* machine, size_t n_threads);
void cw_machine_free(struct cw_machine* machine);

/* nic.c */
void cw_machine_find_nic(struct cw_machine* machine);
const char* cw_nic_kind(hwloc_obj_t nic);

/* sequence.c */
struct cw_shares cw_shares_of(const struct cw_thread_plan* plan);
bool cw_bind_in_order(struct cw_thread_plan* plan);
void cw_order_by_nearness(const struct cw_machine* machine, size_t start, size_t* sequence);

/* Writes one sentence for the caller and returns `status`. */
cw_status_t cw_fail(const cw_thread_plan_options_t* options, cw_status_t status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
