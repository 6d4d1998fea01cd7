/* Walks the path component by component, to check each link before following it. */
#define _GNU_SOURCE
#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* the kernel's limit (path_resolution(7)) */

/* In a user namespace root may have another number than 0; it always owns "/". */
static bool is_trusted(uid_t owner) {
  struct stat root;
  return owner == 0 || owner == geteuid() || (stat("/", &root) == 0 && owner == root.st_uid);
}

/* Puts the target of the link `fd` in front of the rest of the path. */
static bool put_before(int fd, char left[PATH_MAX]) {
  char target[PATH_MAX], whole[2 * PATH_MAX];
  const ssize_t length = readlinkat(fd, "", target, sizeof target - 1);
  if (length <= 0) return false;
  target[length] = 0;
  const int needed = snprintf(whole, sizeof whole, "%s/%s", target, left);
  errno = ENAMETOOLONG;
  if (needed >= PATH_MAX) return false;
  memcpy(left, whole, (size_t)needed + 1);
  return true;
}

static int fail(int fd, int error) {
  if (fd >= 0) close(fd);
  errno = error;
  return -1;
}

/* Opens `name` in the directory `at`. For a link, puts its target in front of `left` and returns where the
 * target starts: `at`, or the root. Closes `at` unless it is returned. */
static int step(int at, const char* name, char left[PATH_MAX], int* n_links) {
  struct stat found;
  const int next = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (next < 0 || fstat(next, &found) != 0) return fail(at, errno);
  if (!S_ISLNK(found.st_mode)) {
    close(at);
    return next;
  }
  const int error = !is_trusted(found.st_uid) ? EACCES : ++*n_links > MOST_LINKS ? ELOOP : 0;
  const bool follows = error == 0 && put_before(next, left);
  close(next);
  if (!follows) return fail(at, error != 0 ? error : errno);
  if (left[0] != '/') return at;
  close(at);
  return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int cw_directory_open(const char* path) {
  char left[PATH_MAX], name[NAME_MAX + 1];
  int n_links = 0;
  if (snprintf(left, sizeof left, "%s", path) >= (int)sizeof left) return fail(-1, ENAMETOOLONG);
  int at = open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  while (at >= 0) {
    const size_t begin = strspn(left, "/");
    const size_t length = strcspn(left + begin, "/");
    if (length == 0) break;
    if (length > NAME_MAX) return fail(at, ENAMETOOLONG);
    memcpy(name, left + begin, length);
    name[length] = 0;
    memmove(left, left + begin + length, strlen(left + begin + length) + 1);
    at = step(at, name, left, &n_links);
  }
  if (at < 0) return -1;
  const int opened = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int error = errno;
  close(at);
  errno = error;
  return opened;
}
