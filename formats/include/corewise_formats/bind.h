/// The binder's settings file (FORMATS.md, "Binder settings") and its exit codes.
#ifndef COREWISE_FORMATS_BIND_H
#define COREWISE_FORMATS_BIND_H

#define CW_BIND_FIRST_LINE "corewise-bind 1" /* format and version */

#define CW_BIND_PLACES "places cores"   /* set OMP_PLACES: one place per core of the mask */
#define CW_BIND_MEMORY "memory domains" /* set the memory policy: the NUMA nodes of the mask */

/// OS indices of hardware threads must be below this limit.
#define CW_BIND_MAX_PUS 65536

/// Exit codes of the binder if the program could not be started. 126 and 127 are the shell's.
enum {
  CW_BIND_EXIT_USAGE = 120,   /* wrong arguments, or a settings file that can't be read */
  CW_BIND_EXIT_NO_RANK = 121, /* masks were given, but the environment has no rank, or the rank has no mask */
  CW_BIND_EXIT_MASK = 122,    /* the mask in the kernel is not the requested mask */
  CW_BIND_EXIT_MEMORY = 123,  /* the memory policy in the kernel is not the requested policy */
  CW_BIND_EXIT_NOT_EXECUTABLE = 126, /* the program exists but can't be started */
  CW_BIND_EXIT_NOT_FOUND = 127       /* the program does not exist */
};

#endif
