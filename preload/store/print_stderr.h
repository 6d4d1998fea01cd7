/* Messages of the library on standard error. */
#ifndef COREWISE_STORE_PRINT_STDERR_H
#define COREWISE_STORE_PRINT_STDERR_H

/* Writes a line to descriptor 2 at once. The program gets no signal and waits at most 0.1 s. The line is
 * dropped if nobody reads descriptor 2, or if the program has opened another file there. */
__attribute__((format(printf, 1, 2))) void cw_print_stderr(const char* format, ...);

#endif
