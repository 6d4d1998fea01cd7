/* The backlog monitor: bytes that lie in the send buffers of this process's TCP sockets. */
#ifndef COREWISE_STEER_MONITORS_BACKLOG_H
#define COREWISE_STEER_MONITORS_BACKLOG_H

#include <stdint.h>

/* As of now (SIOCOUTQ), summed over at most 64 sockets, which are searched for at the first call and at each
 * 20th one after it among the first 1024 descriptors. By one thread at a time. */
int64_t cw_backlog_bytes(void);

#endif
