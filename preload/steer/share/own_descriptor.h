/* Descriptors that stay open in somebody's program. */
#ifndef COREWISE_STEER_OWN_DESCRIPTOR_H
#define COREWISE_STEER_OWN_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/types.h>

/* A file that this library keeps open. The program may close any descriptor, or give its number to a file of
 * its own. */
struct cw_own_file {
  int descriptor; /* -1: none is open */
  dev_t device;
  ino_t inode;
};

/* Moves an open descriptor to a high number, so that the files that the program opens get the numbers that
 * they get without this library. Returns the new number, or the same one if no higher one is free. */
int cw_descriptor_move_up(int descriptor);

/* Keeps a file that was just opened, at a high number. */
struct cw_own_file cw_own_file_keep(int descriptor);

/* Whether the number still means that file. */
bool cw_own_file_is_open(const struct cw_own_file* file);

/* Closes it if it is still open. */
void cw_own_file_close(struct cw_own_file* file);

#endif
