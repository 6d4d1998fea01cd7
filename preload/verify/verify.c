/* The verify observer: writes the affinity mask and CPU time of each thread, as the kernel reports them, and
 * the devices that the rank may use and uses. */
#define _GNU_SOURCE
#include "verify.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../store/store.h"
#include "devices.h"
#include "own_threads.h"

/* Returns the number of valid bytes, 0 on failure. glibc's cpu_set_t ends at 1024 CPUs; this does not. */
static uint32_t read_mask(pid_t thread, uint8_t mask[CW_PROFILE_MASK_BYTES]) {
  const long n = syscall(SYS_sched_getaffinity, thread, (size_t)CW_PROFILE_MASK_BYTES, mask);
  return n > 0 ? (uint32_t)n : 0;
}

static void read_name(pid_t thread, char name[16]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%ld/comm", (long)thread);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  const ssize_t n = read(fd, name, 15);
  close(fd);
  if (n > 0) name[strcspn(name, "\n")] = 0;
}

/* Entries of one type, and the chunk that is being filled. */
struct entries {
  enum cw_profile_chunk_kind kind;
  uint32_t entry_bytes;
  struct cw_profile_chunk* chunk;
  struct cw_profile_chunk** published;
  uint32_t n_published;
};

/* Without memory a chunk isn't remembered. Its entries are then listed twice if MPI starts again. */
static void publish(struct entries* entries) {
  if (entries->chunk == NULL) return;
  cw_store_publish(entries->chunk, entries->kind);
  struct cw_profile_chunk** all =
      realloc(entries->published, (entries->n_published + 1) * sizeof(struct cw_profile_chunk*));
  if (all != NULL) {
    entries->published = all;
    entries->published[entries->n_published++] = entries->chunk;
  }
  entries->chunk = NULL;
}

/* Hides the entries of the last MPI_Finalize from readers, before those of this one are written. */
static void take_back(struct entries* entries) {
  for (uint32_t i = 0; i < entries->n_published; ++i) cw_store_publish(entries->published[i], CW_CHUNK_EMPTY);
  entries->n_published = 0;
}

/* NULL if there is no space; the fault is counted. */
static void* next_entry(struct entries* entries) {
  const uint32_t n_of_chunk = (CW_PROFILE_CHUNK_BYTES - sizeof *entries->chunk) / entries->entry_bytes;
  if (entries->chunk != NULL && entries->chunk->n_items == n_of_chunk) publish(entries);
  if (entries->chunk == NULL) entries->chunk = cw_store_chunk(CW_PROFILE_CHUNK_BYTES, 0);
  if (entries->chunk == NULL) {
    cw_store_fault(CW_FAULT_NO_SPACE);
    return NULL;
  }
  return (char*)(entries->chunk + 1) + (size_t)entries->chunk->n_items++ * entries->entry_bytes;
}

static void write_variable(const char* name, const char* value, void* entries) {
  struct cw_profile_device* variable = next_entry(entries);
  if (variable == NULL) return;
  snprintf(variable->name, sizeof variable->name, "%s", name);
  snprintf(variable->value, sizeof variable->value, "%s", value);
}

static void write_variables(void) {
  struct entries variables = {.kind = CW_CHUNK_DEVICES, .entry_bytes = sizeof(struct cw_profile_device)};
  cw_each_device_variable(write_variable, &variables);
  publish(&variables);
  free(variables.published);
}

static void write_device_files(struct entries* entries) {
  struct cw_profile_device found = {.name = ""};
  if (cw_open_device_files(found.value, sizeof found.value) == 0) return;
  struct cw_profile_device* files = next_entry(entries);
  if (files != NULL) *files = found;
}

struct thread_entries {
  struct entries masks;
  struct entries times;
};

static void write_thread(pid_t thread, void* context) {
  struct thread_entries* entries = context;
  struct cw_profile_thread* found = next_entry(&entries->masks);
  if (found != NULL) {
    found->tid = (uint32_t)thread;
    found->mask_bytes = read_mask(thread, found->mask);
    read_name(thread, found->name);
  }
  struct cw_profile_thread_time* time = next_entry(&entries->times);
  if (time != NULL) {
    time->tid = (uint32_t)thread;
    time->of_mpi = cw_is_mpi_thread(thread);
    time->cpu_ns = cw_thread_cpu_ns(thread);
  }
}

static bool was_started;
static uint64_t cpu_ns_at_start;

/* Called at the end of MPI_Init, so that the masks of the launcher and of MPI_Init are in effect. */
static void verify_start(void) {
  cw_mpi_threads_find();
  if (was_started) return; /* MPI is started a second time: MPI_Init after a session */
  was_started = true;
  struct cw_profile_rank* rank = cw_store_rank();
  rank->mask_bytes = read_mask(0, rank->mask);
  cpu_ns_at_start = cw_process_cpu_ns();
  write_variables();
}

static void verify_finish(void) {
  cw_store_rank()->cpu_ns = cw_process_cpu_ns() - cpu_ns_at_start;
  static struct thread_entries entries = {
      .masks = {.kind = CW_CHUNK_THREADS, .entry_bytes = sizeof(struct cw_profile_thread)},
      .times = {.kind = CW_CHUNK_THREAD_TIMES, .entry_bytes = sizeof(struct cw_profile_thread_time)}};
  static struct entries device_files = {.kind = CW_CHUNK_DEVICES,
                                        .entry_bytes = sizeof(struct cw_profile_device)};
  take_back(&entries.masks);
  take_back(&entries.times);
  take_back(&device_files);
  (void)cw_each_thread(write_thread, &entries);
  write_device_files(&device_files);
  publish(&entries.masks);
  publish(&entries.times);
  publish(&device_files);
}

const struct cw_observer cw_verify_observer = {.version = CW_OBSERVER_VERSION,
                                               .name = "verify",
                                               .needs_store = true,
                                               .prepare = cw_mpi_threads_prepare,
                                               .start = verify_start,
                                               .finish = verify_finish};
