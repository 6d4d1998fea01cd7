/* See slots.h. */
#include "slots.h"

#include <string.h>

#include "sequence.h"

void cw_slot_write(struct cw_slot* slot, const struct cw_slot_content* content) {
  uint64_t words[CW_SLOT_WORDS];
  memcpy(words, content, sizeof words);
  cw_sequence_write(&slot->sequence, slot->words, words, CW_SLOT_WORDS);
}

bool cw_slot_read(struct cw_slot* slot, struct cw_slot_content* content) {
  uint64_t words[CW_SLOT_WORDS];
  if (!cw_sequence_read(&slot->sequence, slot->words, words, CW_SLOT_WORDS)) return false;
  memcpy(content, words, sizeof *content);
  return true;
}
