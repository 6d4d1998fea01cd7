/* See snapshot.h. Each kind of line in a log has a table of fields. */
#include "snapshot.h"

#include <stdio.h>
#include <string.h>

enum { N_PEER = 3, N_TARGET = 2, N_RESULT = 3, N_TICK = 3 };

#define COUNT(record, member) CW_NUMBER(record, member, 0, CW_MOST_COUNT)

static const struct cw_field TICK[N_TICK] = {CW_NUMBER(cw_snapshot, number, 1, CW_MOST_RANK),
                                             CW_NUMBER(cw_snapshot, time_ns, 0, 100000 * CW_MOST_COUNT),
                                             COUNT(cw_snapshot, length_ns)};

static const struct cw_field RANK[] = {
#define CW_RANK_FIELD(name, unit, rule, least, most, meaning) CW_NUMBER(cw_rank_sample, name, least, most),
#include "sample.def"
};

static const struct cw_field CORE[] = {
#define CW_CORE_FIELD(name, unit, rule, least, most, ...) CW_NUMBER(cw_core_sample, name, least, most),
#include "sample.def"
};

enum { N_RANK = sizeof RANK / sizeof *RANK, N_CORE = sizeof CORE / sizeof *CORE };

static const struct cw_field PEER[N_PEER] = {CW_NUMBER(cw_peer_sample, rank, 0, CW_MOST_RANK),
                                             CW_NUMBER(cw_peer_sample, peer, 0, CW_MOST_RANK),
                                             COUNT(cw_peer_sample, bytes)};

static const struct cw_field TARGET[N_TARGET] = {CW_NUMBER(cw_target, rank, 0, CW_MOST_RANK),
                                                 CW_NUMBER(cw_target, core, 0, CW_STEER_MOST_CORES - 1)};

static const struct cw_field RESULT[N_RESULT] = {CW_NUMBER(cw_swap_result, swap, 1, CW_MOST_RANK),
                                                 CW_NUMBER(cw_swap_result, done, 0, 1),
                                                 COUNT(cw_swap_result, shared_ns)};

void cw_snapshot_clear(struct cw_snapshot* snapshot) {
  snapshot->number = snapshot->time_ns = snapshot->length_ns = 0;
  snapshot->n_ranks = snapshot->n_peers = snapshot->n_cores = snapshot->n_targets = 0;
  snapshot->result = (struct cw_swap_result){0};
}

void cw_snapshot_copy(struct cw_snapshot* copy, const struct cw_snapshot* snapshot) {
  memcpy(copy, snapshot, offsetof(struct cw_snapshot, ranks));
  memcpy(copy->ranks, snapshot->ranks, sizeof *copy->ranks * (size_t)snapshot->n_ranks);
  memcpy(copy->peers, snapshot->peers, sizeof *copy->peers * (size_t)snapshot->n_peers);
  memcpy(copy->cores, snapshot->cores, sizeof *copy->cores * (size_t)snapshot->n_cores);
  memcpy(copy->targets, snapshot->targets, sizeof *copy->targets * (size_t)snapshot->n_targets);
  copy->result = snapshot->result;
}

bool cw_snapshot_begin(struct cw_snapshot* snapshot, const char* line, char* message) {
  const char* fields = cw_after_word(line, "tick");
  if (!fields) {
    snprintf(message, CW_MESSAGE_BYTES, "found '%.60s'; expected 'tick number=... time_ns=...'", line);
    return false;
  }
  cw_snapshot_clear(snapshot);
  return cw_fields_read(fields, TICK, N_TICK, snapshot, message);
}

/* The next free record of an array; NULL: it is full, `message` says so. */
static void* next_record(void* column, size_t size, int32_t n, int32_t most, char* message) {
  if (n < most) return (char*)column + size * (size_t)n;
  snprintf(message, CW_MESSAGE_BYTES, "found more than %d lines of this kind in one interval", most);
  return NULL;
}

static bool add_rank(struct cw_snapshot* snapshot, const char* fields, char* message) {
  struct cw_rank_sample* rank =
      next_record(snapshot->ranks, sizeof *rank, snapshot->n_ranks, CW_STEER_MOST_RANKS, message);
  if (!rank) return false;
  *rank = cw_rank_sample_empty();
  if (!cw_fields_read(fields, RANK, N_RANK, rank, message)) return false;
  if (snapshot->n_ranks > 0 && rank[-1].id >= rank->id) {
    snprintf(message, CW_MESSAGE_BYTES, "found rank %lld after rank %lld; expected ascending ranks",
             (long long)rank->id, (long long)rank[-1].id);
    return false;
  }
  ++snapshot->n_ranks;
  return true;
}

static bool add_core(struct cw_snapshot* snapshot, const char* fields, char* message) {
  struct cw_core_sample* core =
      next_record(snapshot->cores, sizeof *core, snapshot->n_cores, CW_STEER_MOST_CORES, message);
  if (!core) return false;
  *core = cw_core_sample_empty();
  if (!cw_fields_read(fields, CORE, N_CORE, core, message)) return false;
  ++snapshot->n_cores;
  return true;
}

/* Adds a line of an array whose records start as zero and need no further check. */
static bool add_plain(void* column, size_t size, int32_t* n, int32_t most, const struct cw_field* fields,
                      size_t n_fields, const char* text, char* message) {
  void* record = next_record(column, size, *n, most, message);
  if (!record) return false;
  memset(record, 0, size);
  if (!cw_fields_read(text, fields, n_fields, record, message)) return false;
  ++*n;
  return true;
}

bool cw_snapshot_add_line(struct cw_snapshot* snapshot, const char* line, char* message) {
  const char* text;
  if ((text = cw_after_word(line, "rank"))) return add_rank(snapshot, text, message);
  if ((text = cw_after_word(line, "load"))) return add_core(snapshot, text, message);
  if ((text = cw_after_word(line, "peer"))) {
    return add_plain(snapshot->peers, sizeof *snapshot->peers, &snapshot->n_peers,
                     CW_STEER_MOST_RANKS * CW_STEER_MOST_PEERS, PEER, N_PEER, text, message);
  }
  if ((text = cw_after_word(line, "target"))) {
    return add_plain(snapshot->targets, sizeof *snapshot->targets, &snapshot->n_targets, CW_STEER_MOST_RANKS,
                     TARGET, N_TARGET, text, message);
  }
  if ((text = cw_after_word(line, "result"))) {
    return cw_fields_read(text, RESULT, N_RESULT, &snapshot->result, message);
  }
  snprintf(message, CW_MESSAGE_BYTES, "found '%.60s'; expected a line rank, peer, load, target or result",
           line);
  return false;
}

bool cw_snapshot_fits(const struct cw_snapshot* snapshot, const struct cw_steer_machine* machine,
                      char* message) {
  int64_t greatest = -1;
  for (int32_t i = 0; i < snapshot->n_ranks; ++i)
    if (snapshot->ranks[i].core > greatest) greatest = snapshot->ranks[i].core;
  for (int32_t i = 0; i < snapshot->n_cores; ++i)
    if (snapshot->cores[i].core > greatest) greatest = snapshot->cores[i].core;
  for (int32_t i = 0; i < snapshot->n_targets; ++i)
    if (snapshot->targets[i].core > greatest) greatest = snapshot->targets[i].core;
  if (greatest < machine->n_cores) return true;
  snprintf(message, CW_MESSAGE_BYTES, "found core %lld; the machine of this log has cores 0-%d",
           (long long)greatest, machine->n_cores - 1);
  return false;
}

static void limit(const struct cw_field* fields, size_t n_fields, void* records, size_t size, int32_t n) {
  for (int32_t i = 0; i < n; ++i) {
    for (size_t field = 0; field < n_fields; ++field) {
      int64_t* number = (int64_t*)((char*)records + size * (size_t)i + fields[field].offset);
      if (*number < fields[field].low) *number = fields[field].low;
      if (*number > fields[field].high) *number = fields[field].high;
    }
  }
}

void cw_snapshot_limit(struct cw_snapshot* snapshot) {
  limit(TICK, N_TICK, snapshot, sizeof *snapshot, 1);
  limit(RANK, N_RANK, snapshot->ranks, sizeof *snapshot->ranks, snapshot->n_ranks);
  limit(PEER, N_PEER, snapshot->peers, sizeof *snapshot->peers, snapshot->n_peers);
  limit(CORE, N_CORE, snapshot->cores, sizeof *snapshot->cores, snapshot->n_cores);
}

static void write_line(struct cw_buffer* buffer, const char* word, const struct cw_field* fields,
                       size_t n_fields, const void* record) {
  cw_buffer_add(buffer, "%s", word);
  cw_fields_write(buffer, fields, n_fields, record);
  cw_buffer_add(buffer, "\n");
}

void cw_snapshot_write(const struct cw_snapshot* snapshot, struct cw_buffer* buffer) {
  write_line(buffer, "tick", TICK, N_TICK, snapshot);
  for (int32_t i = 0; i < snapshot->n_ranks; ++i)
    write_line(buffer, "rank", RANK, N_RANK, &snapshot->ranks[i]);
  for (int32_t i = 0; i < snapshot->n_peers; ++i)
    write_line(buffer, "peer", PEER, N_PEER, &snapshot->peers[i]);
  for (int32_t i = 0; i < snapshot->n_cores; ++i)
    write_line(buffer, "load", CORE, N_CORE, &snapshot->cores[i]);
  for (int32_t i = 0; i < snapshot->n_targets; ++i)
    write_line(buffer, "target", TARGET, N_TARGET, &snapshot->targets[i]);
  if (snapshot->result.swap) write_line(buffer, "result", RESULT, N_RESULT, &snapshot->result);
}
