/// The binder's settings file (FORMATS.md, "Binder settings") and its exit codes.
#ifndef COREWISE_FORMATS_BIND_H
#define COREWISE_FORMATS_BIND_H

#define CW_BIND_FIRST_LINE "corewise-bind 1" /* format and version */

#define CW_BIND_PLACES "places cores"   /* OMP_PLACES: a place for each core of the mask */
#define CW_BIND_MEMORY "memory domains" /* memory policy: the NUMA nodes of the mask */

/// Hardware threads are numbered below this (os_index).
#define CW_BIND_MAX_PUS 65536

/// What the binder ends with when the program could not be started; 126 and 127 as in a shell.
enum {
  CW_BIND_EXIT_USAGE = 120,   /* wrong arguments, or a settings file that can't be read */
  CW_BIND_EXIT_NO_RANK = 121, /* masks were given, but the environment holds no rank, or one without a mask */
  CW_BIND_EXIT_MASK = 122,    /* the kernel did not give exactly the mask that was asked for */
  CW_BIND_EXIT_MEMORY = 123,  /* the kernel did not give exactly the memory policy that was asked for */
  CW_BIND_EXIT_NOT_EXECUTABLE = 126, /* the program is there but can't be started */
  CW_BIND_EXIT_NOT_FOUND = 127       /* the program is not there */
};

#endif
