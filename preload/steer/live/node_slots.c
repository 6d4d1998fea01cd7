/* See node_slots.h. */
#define _GNU_SOURCE
#include "node_slots.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../../store/clock.h"
#include "share/shared_file.h"

enum { VERSION = 5 };

struct cw_node_slots* cw_node_slots_join(const char* path, int* slot, char* message) {
  struct cw_node_slots* slots = cw_shared_file_map(path, sizeof *slots, message);
  if (slots == NULL) return NULL;
  uint32_t version = 0;
  int64_t start_ns = 0;
  atomic_compare_exchange_strong(&slots->version, &version, VERSION);
  const bool is_ours = version == 0 || version == VERSION;
  atomic_compare_exchange_strong(&slots->start_ns, &start_ns, (int64_t)cw_monotonic_ns());
  *slot = is_ours ? atomic_fetch_add(&slots->n_taken, 1) : CW_MOST_SLOTS;
  if (*slot < CW_MOST_SLOTS) return slots;
  snprintf(message, CW_SHARED_MESSAGE_BYTES, "%.120s: %s", path,
           is_ours ? "more ranks than there are slots" : "slots of another version");
  munmap(slots, sizeof *slots);
  return NULL;
}

bool cw_node_slots_same_namespace(struct cw_node_slots* slots) {
  struct stat found;
  uint64_t first = 0;
  const uint64_t own = stat("/proc/self/ns/pid", &found) == 0 ? found.st_ino : 1;
  return atomic_compare_exchange_strong(&slots->pid_namespace, &first, own) || first == own;
}

bool cw_node_slots_leave(struct cw_node_slots* slots) {
  return atomic_fetch_add(&slots->n_left, 1) + 1 == cw_node_slots_taken(slots);
}

int cw_node_slots_taken(struct cw_node_slots* slots) {
  const int32_t taken = atomic_load(&slots->n_taken);
  return taken < CW_MOST_SLOTS ? taken : CW_MOST_SLOTS;
}
