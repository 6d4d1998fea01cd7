/* Identifies the node that this process runs on. */
#ifndef COREWISE_NODE_IDENTITY_H
#define COREWISE_NODE_IDENTITY_H

#include <corewise_formats/node.h>

/* Sets the names of this node. Never fails: unknown fields are empty, and an unknown `host` is
 * "localhost". */
void cw_node_find(struct cw_node* node);

/* Sets a file name for this node, equal for all its processes and different on any other node: `<host>-<id>`,
 * plus `-<batch name>` if there is one, with '_' for '/'. Returns its length; the name was cut if that is not
 * below `bytes`. */
int cw_node_file_name(const struct cw_node* node, char* name, unsigned long bytes);

/* A random number for file names. A process id would not be unique: ranks in containers with separate PID
 * namespaces may have the same one. */
unsigned long long cw_node_draw(void);

#endif
