/* See report.h. */
#include "report.h"

#include <string.h>

enum {
  HEAD_WORDS = offsetof(struct cw_report, ranks) / sizeof(uint64_t),
  RANK_WORDS = sizeof(struct cw_rank_sample) / sizeof(uint64_t),
  PEER_WORDS = sizeof(struct cw_peer_sample) / sizeof(uint64_t)
};

_Static_assert(sizeof(struct cw_report) % sizeof(uint64_t) == 0, "a report is whole words");

static int length_of(const struct cw_report* report) {
  return HEAD_WORDS + (int)report->n_ranks * RANK_WORDS + (int)report->n_peers * PEER_WORDS;
}

int cw_report_pack(const struct cw_report* report, uint64_t* words) {
  uint64_t* at = words;
  memcpy(at, report, HEAD_WORDS * sizeof *at);
  at += HEAD_WORDS;
  memcpy(at, report->ranks, (size_t)report->n_ranks * sizeof *report->ranks);
  at += report->n_ranks * RANK_WORDS;
  memcpy(at, report->peers, (size_t)report->n_peers * sizeof *report->peers);
  return length_of(report);
}

static bool is_number(int64_t number, int64_t most) { return number >= 0 && number <= most; }

/* Larger than any total after years. */
static const int64_t MOST_TOTAL = INT64_C(1) << 60;

static bool is_valid_rank(const struct cw_rank_sample* rank) {
#define CW_RANK_FIELD(name, unit, rule, least, most, meaning) \
  if (rank->name < (least) || rank->name > ((most) == CW_MOST_COUNT ? MOST_TOTAL : (most))) return false;
#include "sample.def"
  return true;
}

static bool is_valid(const struct cw_report* report) {
  for (int64_t i = 0; i < report->n_ranks; ++i) {
    if (!is_valid_rank(&report->ranks[i]) || report->ranks[i].node != report->node) return false;
  }
  for (int64_t i = 0; i < report->n_peers; ++i) {
    const struct cw_peer_sample* peer = &report->peers[i];
    if (!is_number(peer->rank, CW_MOST_RANK) || !is_number(peer->peer, CW_MOST_RANK) ||
        !is_number(peer->bytes, MOST_TOTAL))
      return false;
  }
  const struct cw_core_request* request = &report->request;
  return is_number(report->request_number, MOST_TOTAL) && is_number(request->rank, CW_MOST_RANK) &&
         is_number(request->capability, 1000) && is_number(request->leader, CW_MOST_RANK) &&
         is_number(request->sender, CW_MOST_RANK) && is_number(request->receiver, CW_MOST_RANK);
}

bool cw_report_unpack(const uint64_t* words, int n_words, struct cw_report* report) {
  if (n_words < HEAD_WORDS) return false;
  memcpy(report, words, HEAD_WORDS * sizeof *words);
  if (report->number < 1 || !is_number(report->n_ranks, CW_REPORT_RANKS) ||
      !is_number(report->n_peers, CW_REPORT_PEERS) || n_words != length_of(report))
    return false;
  words += HEAD_WORDS;
  memcpy(report->ranks, words, (size_t)report->n_ranks * sizeof *report->ranks);
  words += report->n_ranks * RANK_WORDS;
  memcpy(report->peers, words, (size_t)report->n_peers * sizeof *report->peers);
  return is_valid(report);
}
