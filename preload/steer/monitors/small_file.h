/* Files of /proc, read whole. */
#ifndef COREWISE_STEER_MONITORS_SMALL_FILE_H
#define COREWISE_STEER_MONITORS_SMALL_FILE_H

#include <stddef.h>

/* Fills `text`, which then ends in '\0'; what does not fit is left out. Bytes read; 0: nothing could be. */
size_t cw_small_file_read(const char* path, char* text, size_t size);

#endif
