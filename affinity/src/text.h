/* A string that grows. After a failed allocation `failed` is set and stays: callers check it once, at the
 * end. */
#ifndef CW_AFFINITY_TEXT_H
#define CW_AFFINITY_TEXT_H

#include <hwloc.h>
#include <stdbool.h>
#include <stddef.h>

struct cw_text {
  char* data; /* NULL while empty, else ended with 0 */
  size_t length, capacity;
  bool failed;
};

void cw_text_add(struct cw_text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a cpuset or nodeset as a list such as "0-3,8". */
void cw_text_add_list(struct cw_text* text, hwloc_const_bitmap_t set);

/* Copies what fits into a buffer, ended with 0; nothing if buffer is NULL or size 0. */
void cw_text_copy(const struct cw_text* text, char* buffer, size_t size);
void cw_text_free(struct cw_text* text);

#endif
