/* Finding or making the node's profile file by its name. */
#ifndef COREWISE_STORE_HOST_FILE_H
#define COREWISE_STORE_HOST_FILE_H

#include <stddef.h>

#include "job.h"

/* Opens this node's file in the job's directory; the first process makes it, whole from the start: it is
 * written under another name and linked. Writes its absolute path. Returns a descriptor, or -1 and one
 * sentence in `failed`. */
int cw_host_file_open(const struct cw_store_job* job, char* path, size_t path_bytes, const char** failed);

#endif
