/* See members.h. */
#include "members.h"

#include <stdlib.h>

struct cw_members* cw_members_new(uint32_t n) {
  struct cw_members* members = malloc(sizeof *members + n * sizeof *members->world);
  if (members == NULL) return NULL;
  members->n = n;
  members->n_holders = 1;
  return members;
}

struct cw_members* cw_members_hold(struct cw_members* members) {
  if (members != NULL) (void)__atomic_fetch_add(&members->n_holders, 1, __ATOMIC_RELAXED);
  return members;
}

void cw_members_release(struct cw_members* members) {
  if (members != NULL && __atomic_fetch_sub(&members->n_holders, 1, __ATOMIC_ACQ_REL) == 1) free(members);
}
