/* A string that grows as text is added. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct cw_text* text, size_t more) {
  const size_t needed = text->length + more + 1;
  if (needed <= text->capacity) return true;
  const size_t capacity = needed < 256 ? 256 : 2 * needed;
  char* data = realloc(text->data, capacity);
  if (data == NULL) return false;
  text->data = data;
  text->capacity = capacity;
  return true;
}

void cw_text_add(struct cw_text* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0 || !reserve(text, (size_t)length)) {
    text->failed = true;
    return;
  }
  va_start(arguments, format);
  vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  text->length += (size_t)length;
}

void cw_text_add_list(struct cw_text* text, hwloc_const_bitmap_t set) {
  char* list = NULL;
  if (hwloc_bitmap_list_asprintf(&list, set) < 0) {
    text->failed = true;
    return;
  }
  cw_text_add(text, "%s", list);
  free(list);
}

void cw_text_copy(const struct cw_text* text, char* buffer, size_t size) {
  if (buffer == NULL || size == 0) return;
  const size_t length = text->length < size ? text->length : size - 1;
  if (length > 0) memcpy(buffer, text->data, length);
  buffer[length] = 0;
}

void cw_text_free(struct cw_text* text) {
  free(text->data);
  *text = (struct cw_text){0};
}
