/* See fields.h. */
#include "fields.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cw_buffer_add(struct cw_buffer* buffer, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const size_t room = buffer->size - buffer->used;
  const int length = vsnprintf(buffer->data + buffer->used, room, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= room) {
    buffer->data[buffer->used] = '\0';
    buffer->overflow = true;
  } else {
    buffer->used += (size_t)length;
  }
}

const char* cw_after_word(const char* line, const char* word) {
  const size_t length = strlen(word);
  if (strncmp(line, word, length) != 0) return NULL;
  if (line[length] == ' ') return line + length + 1;
  return line[length] == '\0' ? line + length : NULL;
}

/* Reads digits with an optional minus sign. strtoll alone would accept leading blanks and '+'. */
static bool read_number(const char** text, int64_t* number) {
  const char* digits = **text == '-' ? *text + 1 : *text;
  if (*digits < '0' || *digits > '9') return false;
  char* end;
  errno = 0;
  *number = strtoll(*text, &end, 10);
  *text = end;
  return errno == 0;
}

static bool in_range(const struct cw_field* field, int64_t number) {
  return number >= field->low && number <= field->high;
}

static bool read_list(const struct cw_field* field, const char** text, void* member) {
  struct cw_list list = {0};
  for (;;) {
    int64_t number;
    if (list.n == CW_STEER_MOST_LIST || !read_number(text, &number) || !in_range(field, number)) return false;
    list.at[list.n++] = (int32_t)number;
    if (**text != ',') break;
    ++*text;
  }
  memcpy(member, &list, sizeof list);
  return true;
}

static bool read_value(const struct cw_field* field, const char** text, void* record) {
  char* member = (char*)record + field->offset;
  if (field->is_list) return read_list(field, text, member);
  int64_t number;
  if (!read_number(text, &number) || !in_range(field, number)) return false;
  memcpy(member, &number, sizeof number);
  return true;
}

static const struct cw_field* find_field(const char* word, size_t length, const struct cw_field* fields,
                                         size_t n_fields) {
  for (size_t i = 0; i < n_fields; ++i) {
    if (strlen(fields[i].name) == length && memcmp(fields[i].name, word, length) == 0) return &fields[i];
  }
  return NULL;
}

static bool refuse(const char* word, const struct cw_field* field, const struct cw_field* fields,
                   size_t n_fields, char* message) {
  const int length = (int)strcspn(word, " ");
  if (field) {
    snprintf(message, CW_MESSAGE_BYTES, "found '%.*s'; expected %s=%s from %lld to %lld",
             length < 60 ? length : 60, word, field->name, field->is_list ? "NUMBER,..." : "NUMBER",
             (long long)field->low, (long long)field->high);
  } else {
    snprintf(message, CW_MESSAGE_BYTES, "found '%.*s'; expected NAME=NUMBER, the first name of which is %s",
             length < 60 ? length : 60, word, n_fields ? fields[0].name : "none");
  }
  return false;
}

bool cw_fields_read(const char* text, const struct cw_field* fields, size_t n_fields, void* record,
                    char* message) {
  for (;;) {
    text += strspn(text, " ");
    if (*text == '\0') return true;
    const char* word = text;
    const size_t length = strcspn(word, " =");
    const struct cw_field* field = word[length] == '=' ? find_field(word, length, fields, n_fields) : NULL;
    if (!field) return refuse(word, NULL, fields, n_fields, message);
    text = word + length + 1;
    if (!read_value(field, &text, record) || (*text != ' ' && *text != '\0')) {
      return refuse(word, field, fields, n_fields, message);
    }
  }
}

static void write_list(struct cw_buffer* buffer, const char* name, const struct cw_list* list) {
  for (int32_t i = 0; i < list->n; ++i) {
    if (i == 0) {
      cw_buffer_add(buffer, " %s=%d", name, list->at[i]);
    } else {
      cw_buffer_add(buffer, ",%d", list->at[i]);
    }
  }
}

void cw_fields_write(struct cw_buffer* buffer, const struct cw_field* fields, size_t n_fields,
                     const void* record) {
  for (const struct cw_field* field = fields; field < fields + n_fields; ++field) {
    const char* member = (const char*)record + field->offset;
    if (field->is_list) {
      write_list(buffer, field->name, (const struct cw_list*)member);
    } else {
      cw_buffer_add(buffer, " %s=%lld", field->name, (long long)*(const int64_t*)member);
    }
  }
}
