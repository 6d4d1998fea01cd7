/* Messages of the library on the program's standard error. */
#ifndef COREWISE_STORE_PRINT_STDERR_H
#define COREWISE_STORE_PRINT_STDERR_H

/* Writes a line to descriptor 2, in one piece. The program neither waits nor gets a signal: the line is
 * dropped if nobody reads descriptor 2, or if the program has opened another file there since it started. */
__attribute__((format(printf, 1, 2))) void cw_print_stderr(const char* format, ...);

#endif
