/* Which GPUs and network cards this process may use, and which GPUs it uses. */
#ifndef COREWISE_VERIFY_DEVICES_H
#define COREWISE_VERIFY_DEVICES_H

#include <stddef.h>

/* Calls `visit` with each environment variable that chooses devices, if it is set. */
void cw_each_device_variable(void (*visit)(const char* name, const char* value, void* context),
                             void* context);

/* Writes the device files of GPUs that this process has open into `list`, each once, relative to /dev and
 * between blanks, as far as they fit into `room` bytes with the final 0. Returns their length. */
size_t cw_open_device_files(char* list, size_t room);

#endif
