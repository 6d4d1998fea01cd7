/* See own_descriptor.h. */
#define _GNU_SOURCE
#include "own_descriptor.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST = 900 /* below the usual limit, 1024 */, ROOM = 16 /* distance from a lower limit */ };

int cw_descriptor_move_up(int descriptor) {
  struct rlimit limit;
  int first = FIRST;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < FIRST + ROOM)
    first = (int)limit.rlim_cur - ROOM;
  const int moved = first > descriptor ? fcntl(descriptor, F_DUPFD_CLOEXEC, first) : -1;
  if (moved < 0) return descriptor;
  close(descriptor);
  return moved;
}

struct cw_own_file cw_own_file_keep(int descriptor) {
  struct stat found;
  struct cw_own_file file = {.descriptor = cw_descriptor_move_up(descriptor)};
  if (fstat(file.descriptor, &found) == 0) {
    file.device = found.st_dev;
    file.inode = found.st_ino;
  }
  return file;
}

bool cw_own_file_is_open(const struct cw_own_file* file) {
  struct stat found;
  return file->descriptor >= 0 && fstat(file->descriptor, &found) == 0 && found.st_dev == file->device &&
         found.st_ino == file->inode;
}

void cw_own_file_close(struct cw_own_file* file) {
  if (cw_own_file_is_open(file)) close(file->descriptor);
  file->descriptor = -1;
}
