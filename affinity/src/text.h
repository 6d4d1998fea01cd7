/* A string that grows as text is added. `failed` stays set after a failed allocation: check it at the end. */
#ifndef CW_AFFINITY_TEXT_H
#define CW_AFFINITY_TEXT_H

#include <hwloc.h>
#include <stdbool.h>
#include <stddef.h>

struct cw_text {
  char* data; /* NULL while empty, else with a final 0 */
  size_t length, capacity;
  bool failed;
};

void cw_text_add(struct cw_text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a cpuset or nodeset as a list such as "0-3,8". */
void cw_text_add_list(struct cw_text* text, hwloc_const_bitmap_t set);

/* Copies at most size - 1 bytes and a final 0; nothing if buffer is NULL or size is 0. */
void cw_text_copy(const struct cw_text* text, char* buffer, size_t size);
void cw_text_free(struct cw_text* text);

#endif
