/* Reads and writes records as lines of "name=number", by a table of fields. */
#ifndef COREWISE_STEER_FIELDS_H
#define COREWISE_STEER_FIELDS_H

#include <corewise_formats/steer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CW_MESSAGE_BYTES = 320 };

/* A list of integers, in a file "4,0,2". */
struct cw_list {
  int32_t n;
  int32_t at[CW_STEER_MOST_LIST];
};

/* A member of a record: a number (int64_t) or a list (struct cw_list). */
struct cw_field {
  const char* name;
  size_t offset; /* in the record */
  int64_t low;   /* valid range in a file */
  int64_t high;
  bool is_list;
};

#define CW_NUMBER(record, member, low, high) {#member, offsetof(struct record, member), low, high, false}
#define CW_LIST(record, member, low, high) {#member, offsetof(struct record, member), low, high, true}

/* Text of limited size. Text that does not fit is dropped and sets `overflow`. */
struct cw_buffer {
  char* data; /* always ends with '\0' */
  size_t size;
  size_t used; /* bytes, without the '\0' */
  bool overflow;
};

void cw_buffer_add(struct cw_buffer* buffer, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Reads "name=number name=list ..." into `record`; fields that `text` does not name keep their values. False:
 * `message` (CW_MESSAGE_BYTES) describes the error. */
bool cw_fields_read(const char* text, const struct cw_field* fields, size_t n_fields, void* record,
                    char* message);

/* Appends " name=number name=list ..." with all fields in the order of the table, except empty lists. */
void cw_fields_write(struct cw_buffer* buffer, const struct cw_field* fields, size_t n_fields,
                     const void* record);

/* If `line` starts with `word`, followed by a space or nothing: the rest of the line. Else NULL. */
const char* cw_after_word(const char* line, const char* word);

#endif
