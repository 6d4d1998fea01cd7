/* A file of fixed size that the ranks of a node share in memory. */
#ifndef COREWISE_STEER_SHARED_FILE_H
#define COREWISE_STEER_SHARED_FILE_H

#include <stddef.h>

enum { CW_SHARED_MESSAGE_BYTES = 256 };

/* Maps the file at `path`, made by whoever comes first, then all bytes zero. It has to be a regular file that
 * this user owns and no other may read or write; a link is not followed. Its space is reserved before it
 * is mapped, so a full file system, or a limit of the process on file sizes, is an error here and no signal
 * later. NULL: `message` says why. Ended by munmap(). */
void* cw_shared_file_map(const char* path, size_t size, char* message);

#endif
