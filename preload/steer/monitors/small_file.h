/* Reads files of /proc. */
#ifndef COREWISE_STEER_MONITORS_SMALL_FILE_H
#define COREWISE_STEER_MONITORS_SMALL_FILE_H

#include <stddef.h>

/* Reads the file into `text`, which ends with '\0', and cuts what does not fit. Returns the number of bytes;
 * 0: failed. */
size_t cw_small_file_read(const char* path, char* text, size_t size);

#endif
