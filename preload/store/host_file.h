/* The node's profile file in the job's directory. */
#ifndef COREWISE_STORE_HOST_FILE_H
#define COREWISE_STORE_HOST_FILE_H

#include <stddef.h>

#include "job.h"

/* Opens this node's file for reading and writing. The first process creates it under a temporary name and
 * links it when header and call table are in it, so that nobody sees a part of them. Writes its absolute
 * path. Returns a descriptor, or -1 and one sentence in `failed`. */
int cw_host_file_open(const struct cw_store_job* job, char* path, size_t path_bytes, const char** failed);

#endif
