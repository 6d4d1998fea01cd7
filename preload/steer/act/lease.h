/* Two leases per node: one rank may swap, and one rank (the leader) watches and decides. Leases expire. */
#ifndef COREWISE_STEER_LEASE_H
#define COREWISE_STEER_LEASE_H

#include <stdbool.h>
#include <stdint.h>

struct cw_journal;

/* Takes the lease to swap if it is free or has expired, or if its holder has ended. Returns a value that
 * identifies the caller's lease; 0: another rank holds it. */
uint64_t cw_lease_take(struct cw_journal* journal);

/* Does the caller still hold `lease`, a result of cw_lease_take()? */
bool cw_lease_holds(const struct cw_journal* journal, uint64_t lease);

void cw_lease_release(struct cw_journal* journal, uint64_t lease);

/* Is the caller the leader? True if it led within the last `lease_ms`, if no rank led, or if the former
 * leader has ended. No other rank can then lead for `lease_ms` from now on. */
bool cw_lease_leads(struct cw_journal* journal, int64_t lease_ms);

/* Has no other rank led since the caller last did? A rank that was stopped meanwhile must not act on its old
 * observations. */
bool cw_lease_still_leads(const struct cw_journal* journal);

/* Lets another rank lead. */
void cw_lease_resign(struct cw_journal* journal);

#endif
