/// corewise-bind: sets one rank's mask and environment, then executes the program.
///
///     mpirun -n 4 corewise-bind SETTINGS -- PROGRAM [ARGUMENT...]
///
/// Only the program gets the environment, not the launcher or its daemons. The mask is read back, because in
/// a cpuset the kernel may silently give a smaller one. A rank that can't have exactly its mask does not
/// start.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "domains.h"
#include "settings.h"

#define MASK_TEXT_BYTES 128

/// Binds this process and verifies its mask.
static int bind_exactly(long rank, const cw_mask_t* wanted) {
  static cw_mask_t seen;
  char wanted_text[MASK_TEXT_BYTES], seen_text[MASK_TEXT_BYTES];
  const int refused = sched_setaffinity(0, CW_MASK_BYTES, &wanted->set) != 0 ? errno : 0;
  if (sched_getaffinity(0, CW_MASK_BYTES, &seen.set) == 0 && memcmp(&seen, wanted, sizeof seen) == 0)
    return 0;
  cw_mask_print(wanted, wanted_text, sizeof wanted_text);
  cw_mask_print(&seen, seen_text, sizeof seen_text);
  fprintf(stderr,
          "corewise-bind: rank %ld wanted hardware threads %s (os_index) and got %s%s%s: not started.\n",
          rank, wanted_text, seen_text, refused ? ", " : "; the cpuset here is narrower",
          refused ? strerror(refused) : "");
  return CW_BIND_EXIT_MASK;
}

static int bind_rank(long rank, const cw_settings_t* settings) {
  if (!settings->has_masks) return 0;
  if (settings->has_own_mask) return bind_exactly(rank, &settings->mask);
  if (rank < 0) {
    fprintf(stderr,
            "corewise-bind: no rank in the environment (OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK, ...): "
            "not started; start it under a launcher.\n");
  } else {
    fprintf(stderr,
            "corewise-bind: rank %ld has no mask in the settings file: not started; "
            "expected as many ranks as the placement has.\n",
            rank);
  }
  return CW_BIND_EXIT_NO_RANK;
}

/// Applies settings that depend on this process's mask: OMP_PLACES and the memory policy.
static int follow_mask(const cw_settings_t* settings) {
  static cw_mask_t mask;
  if (!settings->places && !settings->memory) return 0;
  if (sched_getaffinity(0, CW_MASK_BYTES, &mask.set) != 0) {
    fprintf(stderr, "corewise-bind: the mask can't be read (%s): not started.\n", strerror(errno));
    return CW_BIND_EXIT_MASK;
  }
  if (settings->places) {
    char* places = cw_places_of(&mask, CW_SYSTEM_FOLDER);
    if (!places || setenv("OMP_PLACES", places, 1) != 0 || setenv("OMP_PROC_BIND", "close", 1) != 0) {
      fprintf(stderr, "corewise-bind: no memory for OMP_PLACES: not started.\n");
      return CW_BIND_EXIT_MASK;
    }
    free(places);
  }
  const cw_numa_nodes_t nodes = cw_numa_nodes_of(&mask, CW_SYSTEM_FOLDER);
  const int refused = settings->memory ? cw_bind_memory(&nodes) : 0;
  if (refused) {
    fprintf(stderr,
            "corewise-bind: memory was not bound to the NUMA domains of the mask (%s): not started.\n",
            refused == EDOM ? "the kernel reads back another policy" : strerror(refused));
  }
  return refused ? CW_BIND_EXIT_MEMORY : 0;
}

/// Open MPI stores the program's name in these variables, and fills MPI_INFO_ENV from them. They must name
/// `program` and its arguments: in Open MPI 4 without folder, in 5 as given on the command line.
static bool name_program(char** program) {
  const char* before = getenv("OMPI_COMMAND");
  if (!before) return true;
  const char* slash = strrchr(program[0], '/');
  const char* name = slash && !strchr(before, '/') ? slash + 1 : program[0];
  char* arguments = NULL;
  size_t size = 0;
  FILE* stream = open_memstream(&arguments, &size);
  if (!stream) return false;
  for (char** word = program + 1; *word; ++word)
    fprintf(stream, "%s%s", word == program + 1 ? "" : " ", *word);
  bool done = fclose(stream) == 0 && setenv("OMPI_COMMAND", name, 1) == 0;
  done = done && (program[1] ? setenv("OMPI_ARGV", arguments, 1) : unsetenv("OMPI_ARGV")) == 0;
  free(arguments);
  return done;
}

int main(int argc, char** argv) {
  static cw_settings_t settings;
  char message[CW_MESSAGE_BYTES];
  if (argc < 4 || strcmp(argv[2], "--") != 0) {
    fprintf(stderr, "usage: corewise-bind SETTINGS -- PROGRAM [ARGUMENT...]\n");
    return CW_BIND_EXIT_USAGE;
  }
  const long rank = cw_rank_from_environment();
  if (!cw_settings_read(argv[1], rank, &settings, message)) {
    fprintf(stderr, "corewise-bind: %s\n", message);
    return CW_BIND_EXIT_USAGE;
  }
  int failed = bind_rank(rank, &settings);
  if (!failed) failed = follow_mask(&settings);
  if (failed) return failed;
  if (!name_program(argv + 3)) {
    fprintf(stderr, "corewise-bind: no memory for OMPI_ARGV: not started.\n");
    return CW_BIND_EXIT_MASK;
  }
  execvp(argv[3], argv + 3);
  const int reason = errno;
  fprintf(stderr, "corewise-bind: %s: %s\n", argv[3], strerror(reason));
  return reason == ENOENT ? CW_BIND_EXIT_NOT_FOUND : CW_BIND_EXIT_NOT_EXECUTABLE;
}
