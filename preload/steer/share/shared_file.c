/* Maps a file that the ranks of a node share. */
#define _GNU_SOURCE
#include "shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static void* refuse(const char* path, int error, char* message) {
  snprintf(message, CW_SHARED_MESSAGE_BYTES, "%.120s: %.80s; steering is off on this node", path,
           strerror(error));
  return NULL;
}

/* Growing a file beyond this limit would end the process by SIGXFSZ. */
static int within_limit(size_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size ? EFBIG : 0;
}

void* cw_shared_file_map(const char* path, size_t size, char* message) {
  const int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return refuse(path, errno, message);
  int error = within_limit(size);
  if (error == 0) error = posix_fallocate(descriptor, 0, (off_t)size);
  void* mapped = MAP_FAILED;
  if (error == 0) {
    mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) error = errno;
  }
  close(descriptor);
  return error == 0 ? mapped : refuse(path, error, message);
}
