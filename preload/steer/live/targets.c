/* See targets.h. */
#define _GNU_SOURCE
#include "targets.h"

#include <corewise_formats/steer.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { PATH_BYTES = 4200, LINE_BYTES = 256 };

/* Exceeding a file size limit would send SIGXFSZ, so with a limit nothing is written. */
static bool may_write(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

/* Writes the core and the sent bytes of every rank; renames the file when it is complete. */
static void tell_pairs(const struct cw_observations* observations, const char* prefix) {
  char path[PATH_BYTES], fresh[PATH_BYTES];
  if (!may_write()) return;
  snprintf(path, sizeof path, "%s.pairs", prefix);
  snprintf(fresh, sizeof fresh, "%s.pairs-new", prefix);
  FILE* file = fopen(fresh, "we");
  if (file == NULL) return;
  (void)fchmod(fileno(file), 0600); /* whatever the program's umask */
  fputs(CW_STEER_PAIRS_FIRST_LINE "\n", file);
  for (int slot = 0; slot < cw_node_slots_taken(observations->slots); ++slot) {
    const struct cw_observed_rank* rank = &observations->ranks[slot];
    const struct cw_slot_content* content = &rank->content;
    if (!rank->known || rank->core < 0) continue;
    fprintf(file, "rank id=%" PRId64 " core=%" PRId64 "\n", content->rank.id, rank->core);
    for (int64_t i = 0; i < content->n_peers && i < CW_STEER_MOST_PEERS; ++i)
      fprintf(file, "peer rank=%" PRId64 " peer=%" PRId64 " bytes=%" PRId64 "\n", content->rank.id,
              content->peers[i].peer, content->peers[i].bytes);
  }
  if (fclose(file) == 0) rename(fresh, path);
}

/* Reads the file into `targets`. Uses the targets of `scratch`, a snapshot, while reading. */
static void read_targets(struct cw_targets* targets, const char* prefix, struct cw_snapshot* scratch) {
  char path[PATH_BYTES], line[LINE_BYTES], message[CW_MESSAGE_BYTES];
  targets->n = scratch->n_targets = 0;
  snprintf(path, sizeof path, "%s.targets", prefix);
  FILE* file = fopen(path, "re");
  if (file == NULL) return;
  bool is_right =
      fgets(line, sizeof line, file) != NULL && strcmp(line, CW_STEER_TARGETS_FIRST_LINE "\n") == 0;
  while (is_right && fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    is_right = strncmp(line, "target ", 7) == 0 && cw_snapshot_add_line(scratch, line, message);
  }
  fclose(file);
  if (is_right) {
    targets->n = scratch->n_targets;
    memcpy(targets->at, scratch->targets, sizeof *targets->at * (size_t)targets->n);
  }
  scratch->n_targets = 0;
}

/* Core of a rank in the snapshot; -1: not found. */
static int64_t core_of(const struct cw_snapshot* snapshot, int64_t id) {
  int32_t low = 0, high = snapshot->n_ranks;
  while (low < high) {
    const int32_t middle = (low + high) / 2;
    if (snapshot->ranks[middle].id < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const struct cw_rank_sample* rank = &snapshot->ranks[low];
  return low < snapshot->n_ranks && rank->id == id ? rank->core : -1;
}

void cw_targets_exchange(struct cw_targets* targets, const struct cw_observations* observations,
                         const char* prefix, int64_t now_ns, struct cw_snapshot* snapshot) {
  const struct cw_steering* steering = observations->steering;
  if (steering->settings.targets_ns == 0) return;
  if (now_ns >= targets->due_ns) {
    targets->due_ns = now_ns + steering->settings.targets_ns;
    tell_pairs(observations, prefix);
    read_targets(targets, prefix, snapshot);
  }
  for (int32_t i = 0; i < targets->n; ++i) {
    const int64_t core = core_of(snapshot, targets->at[i].rank);
    const int64_t wanted = targets->at[i].core;
    if (core >= 0 && core != wanted && wanted >= 0 && wanted < steering->machine.n_cores)
      snapshot->targets[snapshot->n_targets++] = targets->at[i];
  }
}
