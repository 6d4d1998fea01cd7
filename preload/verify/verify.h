/* The verify observer. At the end of MPI_Init it writes the rank's affinity mask and the environment
 * variables that choose its devices; at MPI_Finalize the masks and CPU times of all threads, which of them
 * MPI_Init started, and the GPUs whose device files are open. */
#ifndef COREWISE_VERIFY_VERIFY_H
#define COREWISE_VERIFY_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../pmpi/observer.h"

extern const struct cw_observer cw_verify_observer;

/* Which GPUs and network cards this process may use, and which GPUs it uses. */

/* Calls `visit` with each environment variable that chooses devices, if it is set. */
void cw_each_device_variable(void (*visit)(const char* name, const char* value, void* context),
                             void* context);

/* Writes the device files of GPUs that this process has open into `list`, each once, relative to /dev and
 * between blanks, as far as they fit into `room` bytes with the final 0. Returns their length. */
size_t cw_open_device_files(char* list, size_t room);

/* Threads of this process, their CPU times, and which of them MPI started. */

/* Calls `visit` with each thread of the process. Returns false if the kernel doesn't list them. */
bool cw_each_thread(void (*visit)(pid_t thread, void* context), void* context);

/* At the start of MPI_Init: remembers the existing threads, which belong to the program. */
void cw_mpi_threads_prepare(void);

/* At the end of MPI_Init: threads that started since cw_mpi_threads_prepare() belong to MPI. */
void cw_mpi_threads_find(void);

/* Did MPI_Init start this thread? */
bool cw_is_mpi_thread(pid_t thread);

/* CPU time of a thread of this process since the thread started, ns; 0 if the kernel doesn't report it. */
uint64_t cw_thread_cpu_ns(pid_t thread);

/* CPU time of all threads of this process, including ended ones, since the process started, ns. */
uint64_t cw_process_cpu_ns(void);

#endif
