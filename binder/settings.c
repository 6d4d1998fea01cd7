/// Reads the binder's settings file.
#include "settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool parse_number(const char** text, unsigned long* number) {
  char* end;
  if (**text < '0' || **text > '9') return false;
  errno = 0;
  *number = strtoul(*text, &end, 10);
  *text = end;
  return errno == 0;
}

bool cw_mask_parse(const char* list, cw_mask_t* mask) {
  memset(mask, 0, sizeof *mask);
  for (;;) {
    unsigned long first, last;
    if (!parse_number(&list, &first)) return false;
    last = first;
    if (*list == '-') {
      ++list;
      if (!parse_number(&list, &last)) return false;
    }
    if (last < first || last >= CW_BIND_MAX_PUS) return false;
    for (; first <= last; ++first) CPU_SET_S(first, CW_MASK_BYTES, &mask->set);
    if (*list == '\0') return true;
    if (*list++ != ',') return false;
  }
}

void cw_mask_print(const cw_mask_t* mask, char* text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int pu = 0; pu < CW_BIND_MAX_PUS && used < size; ++pu) {
    if (!CPU_ISSET_S(pu, CW_MASK_BYTES, &mask->set)) continue;
    int last = pu;
    while (last + 1 < CW_BIND_MAX_PUS && CPU_ISSET_S(last + 1, CW_MASK_BYTES, &mask->set)) ++last;
    const char* comma = used ? "," : "";
    used += last > pu ? snprintf(text + used, size - used, "%s%d-%d", comma, pu, last)
                      : snprintf(text + used, size - used, "%s%d", comma, pu);
    pu = last;
  }
}

long cw_rank_from_environment(void) {
  static const char* const names[] = {
      "OMPI_COMM_WORLD_RANK", "PMIX_RANK",   "PMI_RANK",       "MV2_COMM_WORLD_RANK",
      "PALS_RANKID",          "ALPS_APP_PE", "FLUX_TASK_RANK", "SLURM_PROCID",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char* text = getenv(names[i]);
    unsigned long rank;
    if (text && parse_number(&text, &rank) && *text == '\0') return (long)rank;
  }
  return -1;
}

/// Applies "NAME=VALUE".
static bool apply_env(const char* assignment) {
  const char* equals = strchr(assignment, '=');
  if (!equals || equals == assignment) return false;
  char* name = strndup(assignment, equals - assignment);
  const bool done = name && setenv(name, equals + 1, 1) == 0;
  free(name);
  return done;
}

static bool apply_unset(const char* name) { return *name && !strchr(name, '=') && unsetenv(name) == 0; }

/// Adds `library` at the front of LD_PRELOAD.
static bool apply_preload(const char* library) {
  const char* before = getenv("LD_PRELOAD");
  if (!before || !*before) return setenv("LD_PRELOAD", library, 1) == 0;
  const size_t size = strlen(library) + strlen(before) + 2;
  char* joined = malloc(size);
  if (!joined) return false;
  snprintf(joined, size, "%s:%s", library, before);
  const bool done = setenv("LD_PRELOAD", joined, 1) == 0;
  free(joined);
  return done;
}

/// Checks "RANK LIST", and uses it if RANK is ours.
static bool apply_rank(const char* text, long rank, cw_settings_t* settings) {
  unsigned long line_rank;
  cw_mask_t mask;
  if (!parse_number(&text, &line_rank) || *text++ != ' ' || !cw_mask_parse(text, &mask)) return false;
  settings->has_masks = true;
  if (rank >= 0 && line_rank == (unsigned long)rank) {
    settings->has_own_mask = true;
    settings->mask = mask;
  }
  return true;
}

/// Checks "RANK NAME=VALUE", and sets the variable if RANK is ours.
static bool apply_rank_env(const char* text, long rank) {
  unsigned long line_rank;
  if (!parse_number(&text, &line_rank) || *text++ != ' ') return false;
  const char* equals = strchr(text, '=');
  if (!equals || equals == text) return false;
  return rank < 0 || line_rank != (unsigned long)rank || apply_env(text);
}

static bool apply_line(const char* line, long rank, cw_settings_t* settings) {
  if (strncmp(line, "env ", 4) == 0) return apply_env(line + 4);
  if (strncmp(line, "unset ", 6) == 0) return apply_unset(line + 6);
  if (strncmp(line, "preload /", 9) == 0) return apply_preload(line + 8);
  if (strncmp(line, "rank-env ", 9) == 0) return apply_rank_env(line + 9, rank);
  if (strncmp(line, "rank ", 5) == 0) return apply_rank(line + 5, rank, settings);
  if (strcmp(line, CW_BIND_PLACES) == 0) return settings->places = true;
  if (strcmp(line, CW_BIND_MEMORY) == 0) return settings->memory = true;
  return false;
}

static bool read_lines(FILE* file, const char* path, long rank, cw_settings_t* settings, char* message) {
  char* line = NULL;
  size_t size = 0;
  ssize_t length;
  bool valid = true;
  int number = 0;
  while (valid && (length = getline(&line, &size, file)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = '\0';
    valid = ++number == 1 ? strcmp(line, CW_BIND_FIRST_LINE) == 0 : apply_line(line, rank, settings);
    if (!valid) {
      snprintf(message, CW_MESSAGE_BYTES, "%.200s line %d: found '%.80s'; expected %s", path, number, line,
               number == 1 ? "'" CW_BIND_FIRST_LINE "'"
                           : "'env NAME=VALUE', 'unset NAME', 'preload /LIBRARY', 'rank N LIST', "
                             "'rank-env N NAME=VALUE', '" CW_BIND_PLACES "' or '" CW_BIND_MEMORY "'");
    }
  }
  if (number == 0) {
    valid = false;
    snprintf(message, CW_MESSAGE_BYTES, "%.200s: empty; expected '" CW_BIND_FIRST_LINE "'", path);
  }
  free(line);
  return valid;
}

/// The file may name a library to preload, so nobody else may have written it, whoever owns the folder.
static bool is_own(FILE* file, const char* path, char* message) {
  struct stat found;
  const bool own =
      fstat(fileno(file), &found) == 0 && found.st_uid == geteuid() && (found.st_mode & S_IWOTH) == 0;
  if (!own) {
    snprintf(message, CW_MESSAGE_BYTES,
             "%.200s: not read, because it belongs to another user or everybody may write to it", path);
  }
  return own;
}

bool cw_settings_read(const char* path, long rank, cw_settings_t* settings, char* message) {
  memset(settings, 0, sizeof *settings);
  FILE* file = fopen(path, "r");
  if (!file) {
    snprintf(message, CW_MESSAGE_BYTES, "%.200s: %s; every node must see the folder it lies in", path,
             strerror(errno));
    return false;
  }
  const bool valid = is_own(file, path, message) && read_lines(file, path, rank, settings, message);
  fclose(file);
  return valid;
}
