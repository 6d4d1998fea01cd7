/* Communicators in the profile. */
#ifndef COREWISE_TRACE_COMMS_H
#define COREWISE_TRACE_COMMS_H

struct cw_communicator;

/* Writes the members of a communicator, and the communicator itself if is_listed. Safe in all threads. */
void cw_trace_comm(const struct cw_communicator* comm);

/* Sets the name of a communicator in the file, cut to sizeof cw_profile_comm.name. */
void cw_trace_comm_named(const struct cw_communicator* comm, const char* name);

#endif
