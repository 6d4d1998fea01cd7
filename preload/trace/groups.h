/* Groups of processes in the profile. */
#ifndef COREWISE_TRACE_GROUPS_H
#define COREWISE_TRACE_GROUPS_H

#include <stdint.h>

/* Writes the members of a group as ranges, once for each id. Safe in all threads. */
void cw_trace_group(uint64_t id, const int32_t* members, uint32_t n_members);

#endif
