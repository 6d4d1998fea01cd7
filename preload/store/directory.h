/* Opens a directory whose name other users can't bend. */
#ifndef COREWISE_STORE_DIRECTORY_H
#define COREWISE_STORE_DIRECTORY_H

/* Opens the directory at `path`; links on the way are followed if they belong to root or to the user. A link
 * of another user, who may have put it there in place of the directory, is refused. Returns a descriptor, or
 * -1 with errno (EACCES for such a link). */
int cw_directory_open(const char* path);

#endif
