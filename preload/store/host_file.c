/* The node's profile file: its name, and its creation by the first rank that needs it. */
#define _GNU_SOURCE
#include "host_file.h"

#include <corewise_node/identity.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "directory.h"
#include "extent.h"

static const char NO_ROOM[] = "no room for its header (disk full, quota or file size limit)";

static bool write_all(int fd, const char* data, size_t n) {
  for (size_t done = 0; done < n;) {
    const ssize_t written = pwrite(fd, data + done, n - done, (off_t)done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += (size_t)written;
  }
  return true;
}

/* Opens regular files only. O_NONBLOCK, because opening a pipe would wait for its other end. */
static int open_file(int place, const char* name, int access) {
  struct stat found;
  const int fd = openat(place, name, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0 || (fstat(fd, &found) == 0 && S_ISREG(found.st_mode))) return fd;
  close(fd);
  errno = EINVAL;
  return -1;
}

/* Header and call table, rounded up to whole chunks. The caller frees it. */
static char* first_chunks(const struct cw_store_job* job, const struct cw_node* node, size_t* bytes) {
  const size_t used = sizeof(struct cw_profile_header) + job->n_calls * sizeof *job->calls;
  *bytes = (used + CW_PROFILE_CHUNK_BYTES - 1) / CW_PROFILE_CHUNK_BYTES * CW_PROFILE_CHUNK_BYTES;
  char* data = calloc(1, *bytes);
  if (data == NULL) return NULL;
  struct cw_profile_header* header = (struct cw_profile_header*)data;
  memcpy(header->magic, CW_PROFILE_MAGIC, sizeof header->magic);
  header->version = CW_PROFILE_VERSION;
  header->endian = CW_PROFILE_ENDIAN;
  header->n_ranks = job->n_ranks;
  header->n_calls = job->n_calls;
  header->calls_offset = sizeof *header;
  header->chunks_offset = *bytes;
  header->next_free = *bytes;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  header->created_unix_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
  memcpy(header->world, job->world, strnlen(job->world, sizeof header->world - 1));
  memcpy(header->job, job->job, strnlen(job->job, sizeof header->job - 1));
  header->node = *node;
  memcpy(data + header->calls_offset, job->calls, job->n_calls * sizeof *job->calls);
  return data;
}

/* The directory may contain files of other nodes of this job, but none of another job. */
static bool holds_other_job(const struct cw_store_job* job, int place) {
  const int listed = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* directory = listed < 0 ? NULL : fdopendir(listed);
  if (directory == NULL) {
    if (listed >= 0) close(listed);
    return false;
  }
  const struct dirent* entry = NULL;
  struct cw_profile_header header = {.n_ranks = 0};
  bool found = false;
  while (!found && (entry = readdir(directory)) != NULL) {
    const size_t length = strlen(entry->d_name);
    const size_t suffix = strlen(CW_PROFILE_SUFFIX);
    if (length <= suffix || strcmp(entry->d_name + length - suffix, CW_PROFILE_SUFFIX) != 0) continue;
    const int fd = open_file(place, entry->d_name, O_RDONLY);
    found = fd >= 0 && read(fd, &header, sizeof header) == (ssize_t)sizeof header;
    if (fd >= 0) close(fd);
  }
  closedir(directory);
  return found && strncmp(header.job, job->job, sizeof header.job) != 0;
}

/* The other ranks must be able to open the file, whatever the program's umask. */
static void let_owner_use(int fd) {
  struct stat made;
  if (fstat(fd, &made) == 0) (void)fchmod(fd, (made.st_mode & 0777) | S_IRUSR | S_IWUSR);
}

/* Creates the file in the directory `place`, unless another rank is faster. NULL on success, else a sentence.
 * The draft's name is random, because ranks in separate PID namespaces may have the same process id. */
static const char* create(const struct cw_store_job* job, const struct cw_node* node, int place,
                          const char* name) {
  if (holds_other_job(job, place)) return "its directory holds the profile of another job; give an empty one";
  char draft[NAME_MAX + 1];
  if (snprintf(draft, sizeof draft, ".%016llx.new", cw_node_draw()) >= (int)sizeof draft)
    return "its path is too long";
  const int fd = openat(place, draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return "its directory can't be written";
  let_owner_use(fd);
  size_t bytes = 0;
  char* data = first_chunks(job, node, &bytes);
  const bool written = data != NULL && cw_extent_may_end_at(bytes) && write_all(fd, data, bytes);
  free(data);
  close(fd);
  const bool linked = written && (linkat(place, draft, place, name, 0) == 0 || errno == EEXIST);
  unlinkat(place, draft, 0);
  if (!written) return NO_ROOM;
  return linked ? NULL : "its file system has no hard links";
}

/* If the disk is almost full, the drafts of ranks that start together leave no room for each other. Each rank
 * then waits for a random time and tries again. */
static const char* create_or_retry(const struct cw_store_job* job, const struct cw_node* node, int place,
                                   const char* name) {
  const char* failed = create(job, node, place, name);
  for (int i = 0; i < 6 && failed == NO_ROOM; ++i) {
    (void)usleep(1000 + (useconds_t)(cw_node_draw() % 30000));
    failed = faccessat(place, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ? NULL : create(job, node, place, name);
  }
  return failed;
}

static int open_or_create(const struct cw_store_job* job, const struct cw_node* node, int place,
                          const char* name, const char** failed) {
  int fd = open_file(place, name, O_RDWR);
  if (fd < 0 && errno == ENOENT) {
    *failed = create_or_retry(job, node, place, name);
    if (*failed != NULL) return -1;
    fd = open_file(place, name, O_RDWR);
  }
  if (fd < 0) *failed = "its file can't be opened for writing";
  return fd;
}

int cw_host_file_open(const struct cw_store_job* job, char* path, size_t path_bytes, const char** failed) {
  char directory[PATH_MAX], of_node[NAME_MAX + 1], name[NAME_MAX + 1];
  struct cw_node node;
  cw_node_find(&node);
  (void)mkdir(job->directory, 0777);
  const int place = cw_directory_open(job->directory);
  if (place < 0 || realpath(job->directory, directory) == NULL) {
    *failed = errno == EACCES ? "another user's link leads to COREWISE_DIR, or it may not be entered"
                              : "COREWISE_DIR is no directory and can't be made one";
    if (place >= 0) close(place);
    return -1;
  }
  const char* point = job->world[0] == 0 ? "" : ".";
  int fd = -1;
  if (cw_node_file_name(&node, of_node, sizeof of_node) >= (int)sizeof of_node ||
      snprintf(name, sizeof name, "%s%s%s" CW_PROFILE_SUFFIX, of_node, point, job->world) >=
          (int)sizeof name ||
      snprintf(path, path_bytes, "%s/%s", directory, name) >= (int)path_bytes) {
    *failed = "its path is too long";
  } else {
    fd = open_or_create(job, &node, place, name, failed);
  }
  close(place);
  return fd;
}
