/* What the library has to say, on the program's standard error. */
#ifndef COREWISE_STORE_PRINT_STDERR_H
#define COREWISE_STORE_PRINT_STDERR_H

/* Writes a line to descriptor 2, in one piece. Says nothing where descriptor 2 is no longer what the process
 * was started with, for the program may have opened another file there, and where nobody reads it: the
 * program neither waits nor gets a signal. */
__attribute__((format(printf, 1, 2))) void cw_print_stderr(const char* format, ...);

#endif
