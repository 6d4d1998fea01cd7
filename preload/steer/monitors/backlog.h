/* The backlog monitor: bytes in the send buffers of this process's TCP sockets. */
#ifndef COREWISE_STEER_MONITORS_BACKLOG_H
#define COREWISE_STEER_MONITORS_BACKLOG_H

#include <stdint.h>

/* Current sum (SIOCOUTQ) over at most 64 sockets among the first 1024 descriptors. Every 20th call searches
 * for sockets again. Not safe in several threads at once. */
int64_t cw_backlog_bytes(void);

#endif
