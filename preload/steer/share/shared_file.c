/* See shared_file.h. */
#define _GNU_SOURCE
#include "shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void* refuse(const char* path, const char* reason, char* message) {
  snprintf(message, CW_SHARED_MESSAGE_BYTES, "%.120s: %.80s", path, reason);
  return NULL;
}

/* Growing a file beyond this limit would send SIGXFSZ. */
static int within_limit(size_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size ? EFBIG : 0;
}

/* Why this file must not be mapped, for example because another user could change it. NULL: it may be. */
static const char* foreign(int descriptor) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) return strerror(errno);
  if (!S_ISREG(found.st_mode)) return "no regular file";
  if (found.st_uid != geteuid()) return "belongs to another user";
  return (found.st_mode & (S_IRWXG | S_IRWXO)) == 0 ? NULL : "others may read or write it";
}

void* cw_shared_file_map(const char* path, size_t size, char* message) {
  /* O_NONBLOCK, because opening a named pipe would wait. */
  const int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (descriptor < 0) return refuse(path, strerror(errno), message);
  const char* reason = foreign(descriptor);
  if (!reason) (void)fchmod(descriptor, 0600); /* whatever the program's umask */
  int error = reason ? 0 : within_limit(size);
  if (!reason && error == 0) error = posix_fallocate(descriptor, 0, (off_t)size);
  void* mapped = MAP_FAILED;
  if (!reason && error == 0) {
    mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) error = errno;
  }
  close(descriptor);
  if (mapped != MAP_FAILED) return mapped;
  return refuse(path, reason ? reason : strerror(error), message);
}
