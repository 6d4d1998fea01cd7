/* Opens a directory without following links that other users may have planted. */
#ifndef COREWISE_STORE_DIRECTORY_H
#define COREWISE_STORE_DIRECTORY_H

/* Follows symbolic links on the way only if they belong to root or to this user. Returns a descriptor, or -1
 * with errno: EACCES for a link of another user. */
int cw_directory_open(const char* path);

#endif
