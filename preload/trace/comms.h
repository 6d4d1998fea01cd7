/* Communicators in the profile. */
#ifndef COREWISE_TRACE_COMMS_H
#define COREWISE_TRACE_COMMS_H

struct cw_communicator;

/* Writes what a communicator is: its members always, itself where rows name it. Safe in all threads. */
void cw_trace_comm(const struct cw_communicator* comm);

/* Gives a communicator that was written its name, cut to the room there is. */
void cw_trace_comm_named(const struct cw_communicator* comm, const char* name);

#endif
