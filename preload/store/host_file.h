/* The node's profile file in the job's directory. */
#ifndef COREWISE_STORE_HOST_FILE_H
#define COREWISE_STORE_HOST_FILE_H

#include <stddef.h>

#include "store.h"

/* Opens this node's file for reading and writing, and sets its absolute path. The first process creates it:
 * it writes header and call table under a temporary name, then links the file, so that others never see half
 * a header. Returns a descriptor, or -1 and a sentence in `failed`. */
int cw_host_file_open(const struct cw_store_job* job, char* path, size_t path_bytes, const char** failed);

/* Opens a directory without following links that other users may have planted. */

/* Follows symbolic links on the way only if they belong to root or to this user. Returns a descriptor, or -1
 * with errno: EACCES for a link of another user. */
int cw_directory_open(const char* path);

#endif
