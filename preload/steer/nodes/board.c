/* See board.h. */
#include "board.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "share/shared_file.h"

enum { VERSION = 2 };

struct cw_board* cw_board_join(const char* path, char* message) {
  struct cw_board* board = cw_shared_file_map(path, sizeof *board, message);
  if (board == NULL) return NULL;
  uint32_t version = 0;
  atomic_compare_exchange_strong(&board->version, &version, VERSION);
  if (version == 0 || version == VERSION) return board;
  snprintf(message, CW_SHARED_MESSAGE_BYTES, "%.120s: a board of another version", path);
  munmap(board, sizeof *board);
  return NULL;
}

static void post(struct cw_board_post* to, const struct cw_report* report) {
  uint64_t words[CW_REPORT_WORDS];
  memcpy(words, report, sizeof words);
  cw_sequence_write(&to->sequence, to->words, words, CW_REPORT_WORDS);
}

static bool read_post(struct cw_board_post* from, struct cw_report* report) {
  uint64_t words[CW_REPORT_WORDS];
  if (!cw_sequence_read(&from->sequence, from->words, words, CW_REPORT_WORDS)) return false;
  memcpy(report, words, sizeof *report);
  return true;
}

void cw_board_post_own(struct cw_board* board, const struct cw_report* report) { post(&board->own, report); }

bool cw_board_read_own(struct cw_board* board, struct cw_report* report) {
  return read_post(&board->own, report);
}

bool cw_board_post_other(struct cw_board* board, const struct cw_report* report) {
  for (int place = 0; place < CW_BOARD_NODES; ++place) {
    struct cw_board_post* to = &board->others[place];
    const int32_t found = atomic_load(&to->node_after);
    if (found != 0 && found != report->node + 1) continue;
    post(to, report);
    atomic_store(&to->node_after, (int32_t)report->node + 1);
    return true;
  }
  return false;
}

bool cw_board_read_other(struct cw_board* board, int place, struct cw_report* report) {
  struct cw_board_post* from = &board->others[place];
  return atomic_load(&from->node_after) != 0 && read_post(from, report);
}
