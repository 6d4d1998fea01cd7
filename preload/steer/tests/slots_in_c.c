/* See slots_in_c.h. */
#include "slots_in_c.h"

#include <stdlib.h>
#include <string.h>

#include "share/slots.h"

struct SlotsTest {
  struct cw_slot slot;
};

SlotsTest* slots_test_make(void) {
  SlotsTest* test = aligned_alloc(64, sizeof *test);
  memset(test, 0, sizeof *test);
  return test;
}

void slots_test_free(SlotsTest* test) { free(test); }

static struct cw_slot_content content_of(int64_t number) {
  int64_t words[CW_SLOT_WORDS];
  for (int i = 0; i < CW_SLOT_WORDS; ++i) words[i] = number;
  struct cw_slot_content content;
  memcpy(&content, words, sizeof content);
  return content;
}

static int is_whole(const struct cw_slot_content* content) {
  const struct cw_slot_content alike = content_of(content->number);
  return memcmp(content, &alike, sizeof alike) == 0;
}

void slots_test_write_all(SlotsTest* test, int number) {
  const struct cw_slot_content content = content_of(number);
  cw_slot_write(&test->slot, &content);
}

int slots_test_read_is_whole(SlotsTest* test) {
  struct cw_slot_content content;
  if (!cw_slot_read(&test->slot, &content)) return 0;
  return is_whole(&content) ? 1 : 2;
}

int slots_test_read_empty(void) {
  SlotsTest* test = slots_test_make();
  const int seen = slots_test_read_is_whole(test);
  slots_test_free(test);
  return seen;
}

int slots_test_round_trip(void) {
  SlotsTest* test = slots_test_make();
  slots_test_write_all(test, 7);
  struct cw_slot_content content = {0};
  const int right = cw_slot_read(&test->slot, &content) && content.number == 7 && is_whole(&content);
  slots_test_free(test);
  return right;
}

int slots_test_cut_off(void) {
  SlotsTest* test = slots_test_make();
  slots_test_write_all(test, 1);
  atomic_fetch_or(&test->slot.sequence, 1); /* as after a writer was killed while writing */
  const int unread = slots_test_read_is_whole(test) == 0;
  slots_test_write_all(test, 2);
  const int read_again = slots_test_read_is_whole(test) == 1;
  slots_test_free(test);
  return unread && read_again;
}
