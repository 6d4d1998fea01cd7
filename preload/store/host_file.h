/* The node's profile file in the job's directory. */
#ifndef COREWISE_STORE_HOST_FILE_H
#define COREWISE_STORE_HOST_FILE_H

#include <stddef.h>

#include "job.h"

/* Opens this node's file for reading and writing, and sets its absolute path. The first process creates it:
 * it writes header and call table under a temporary name, then links the file, so that others never see half
 * a header. Returns a descriptor, or -1 and a sentence in `failed`. */
int cw_host_file_open(const struct cw_store_job* job, char* path, size_t path_bytes, const char** failed);

#endif
