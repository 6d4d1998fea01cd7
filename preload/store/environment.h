/* The environment variables that this library reads. Once MPI runs they are taken out of the process's
 * environment: a program that a rank starts (a shell, Python, another MPI program) is not a rank of this job,
 * and must neither load the library nor write into the job's profile. */
#ifndef COREWISE_STORE_ENVIRONMENT_H
#define COREWISE_STORE_ENVIRONMENT_H

/** Takes LD_PRELOAD's entry for this library and the COREWISE_* variables that only this library reads out of
 * the environment. Other entries and variables stay. Later calls do nothing. Without memory everything stays.
 */
void cw_environment_take(void);

/** The value that a variable had when the job started, also after cw_environment_take(); NULL if it was not
 * set. The string lives as long as the process. */
const char* cw_environment(const char* name);

/** "NAME=VALUE" of every variable that was taken, then NULL; NULL before cw_environment_take(). */
char* const* cw_environment_taken(void);

#endif
