/* File descriptors that this library keeps open in the program. */
#ifndef COREWISE_STEER_OWN_DESCRIPTOR_H
#define COREWISE_STEER_OWN_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/types.h>

/* A file that this library keeps open. The program may close its descriptor, or reuse the number. */
struct cw_own_file {
  int descriptor; /* -1: not open */
  dev_t device;
  ino_t inode;
};

/* Moves an open descriptor to a high number, so that files of the program get the same numbers as without
 * this library. Returns the new number, or the old one if no higher one is free. */
int cw_descriptor_move_up(int descriptor);

/* Keeps a file that was just opened, at a high number. */
struct cw_own_file cw_own_file_keep(int descriptor);

/* Is the descriptor still open, and for the same file? */
bool cw_own_file_is_open(const struct cw_own_file* file);

/* Closes the file if it is still open. */
void cw_own_file_close(struct cw_own_file* file);

#endif
