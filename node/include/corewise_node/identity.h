/* Which node this process runs on, as the operating system and the batch system say it. */
#ifndef COREWISE_NODE_IDENTITY_H
#define COREWISE_NODE_IDENTITY_H

#include <corewise_formats/node.h>

/* What this process's node is called. Never fails: what can't be found out is left empty, except for `host`,
 * which then is "localhost". */
void cw_node_find(struct cw_node* node);

/* A name of this node for a file, the same for all its processes and different on any other node:
 * `<host>-<id>`, and `-<batch name>` where there is one; a '/' in a name becomes '_'.
 * Returns how long it is; it was cut off where that is not below `bytes`. */
int cw_node_file_name(const struct cw_node* node, char* name, unsigned long bytes);

/* A number that no other process draws: a process id is not enough for a name, since ranks in containers with
 * separate PID namespaces may have the same one. */
unsigned long long cw_node_draw(void);

#endif
