/* Lines of "name=number" and the records they fill: one table of fields reads and writes them. */
#ifndef COREWISE_STEER_FIELDS_H
#define COREWISE_STEER_FIELDS_H

#include <corewise_formats/steer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CW_MESSAGE_BYTES = 320 };

/* Whole numbers, in a file "4,0,2". */
struct cw_list {
  int32_t n;
  int32_t at[CW_STEER_MOST_LIST];
};

/* A number (int64_t) or a list (struct cw_list) of a record. */
struct cw_field {
  const char* name;
  size_t offset; /* of the member in the record */
  int64_t low;   /* least and greatest number that a file may hold */
  int64_t high;
  bool is_list;
};

#define CW_NUMBER(record, member, low, high) {#member, offsetof(struct record, member), low, high, false}
#define CW_LIST(record, member, low, high) {#member, offsetof(struct record, member), low, high, true}

/* Text of limited size. What does not fit is left out, and `overflow` says so. */
struct cw_buffer {
  char* data; /* always ends in '\0' */
  size_t size;
  size_t used; /* bytes, without the '\0' */
  bool overflow;
};

void cw_buffer_add(struct cw_buffer* buffer, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Reads "name=number name=list ..." into `record`; what `text` does not name keeps its value.
 * False: `message` (CW_MESSAGE_BYTES) says what was found and what was expected. */
bool cw_fields_read(const char* text, const struct cw_field* fields, size_t n_fields, void* record,
                    char* message);

/* " name=number name=list ...": every field, in the order of the table; an empty list is left out. */
void cw_fields_write(struct cw_buffer* buffer, const struct cw_field* fields, size_t n_fields,
                     const void* record);

/* Where `line` begins with `word` and a space or its end, what follows; else NULL. */
const char* cw_after_word(const char* line, const char* word);

#endif
