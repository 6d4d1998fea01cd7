/* Who of a node's ranks may act, and who watches and decides: leases that end by themselves. */
#ifndef COREWISE_STEER_LEASE_H
#define COREWISE_STEER_LEASE_H

#include <stdbool.h>
#include <stdint.h>

struct cw_journal;

/* Takes the lease to act where it is free, ran out, or its holder has ended. 0: somebody else has it; else
 * the word that shows it is ours. */
uint64_t cw_lease_take(struct cw_journal* journal);

/* Whether the lease is still the one that was taken. */
bool cw_lease_holds(const struct cw_journal* journal, uint64_t lease);

void cw_lease_release(struct cw_journal* journal, uint64_t lease);

/* Whether the caller is the one rank of the node that watches and decides: it was so within the last
 * `lease_ms`, or nobody was, or who was has ended. For `lease_ms` from now on no other is. */
bool cw_lease_leads(struct cw_journal* journal, int64_t lease_ms);

/* Whether no other rank has led since the caller last did: one that was stopped must not act on what it saw
 * before. */
bool cw_lease_still_leads(const struct cw_journal* journal);

/* Lets another rank lead. */
void cw_lease_resign(struct cw_journal* journal);

#endif
