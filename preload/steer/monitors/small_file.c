/* See small_file.h. */
#include "small_file.h"

#include <fcntl.h>
#include <unistd.h>

size_t cw_small_file_read(const char* path, char* text, size_t size) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  ssize_t n = 1;
  while (file >= 0 && n > 0 && length < size - 1) {
    n = read(file, text + length, size - 1 - length);
    if (n > 0) length += (size_t)n;
  }
  if (file >= 0) close(file);
  text[length] = '\0';
  return length;
}
