/* A file of fixed size that the ranks of a node share in memory. */
#ifndef COREWISE_STEER_SHARED_FILE_H
#define COREWISE_STEER_SHARED_FILE_H

#include <stddef.h>

enum { CW_SHARED_MESSAGE_BYTES = 256 };

/* Maps the file at `path`. The first caller creates it, filled with zeros. It must be a regular file that
 * belongs to this user and that nobody else may read or write; links are not followed. Space is reserved
 * before mapping: a full file system or a file size limit is an error here, not a signal later. NULL:
 * `message` says why. Unmap it with munmap(). */
void* cw_shared_file_map(const char* path, size_t size, char* message);

#endif
