/* The environment variables of this library. After MPI_Init they are removed from the environment, because a
 * program that a rank starts (a shell, Python, another MPI program) is not a rank of this job: it must not
 * load the library or write into the profile. */
#ifndef COREWISE_STORE_ENVIRONMENT_H
#define COREWISE_STORE_ENVIRONMENT_H

/** Removes this library's entry from LD_PRELOAD, and the COREWISE_* variables that only this library reads.
 * If memory runs out, changes nothing. Later calls do nothing. */
void cw_environment_take(void);

/** The value of a variable at the start of the job, also after cw_environment_take(); NULL: not set. The
 * string is never freed. */
const char* cw_environment(const char* name);

/** "NAME=VALUE" of each removed variable, then NULL; NULL before cw_environment_take(). */
char* const* cw_environment_taken(void);

#endif
