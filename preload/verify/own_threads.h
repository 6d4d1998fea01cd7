/* Threads of this process, their CPU times, and which of them MPI started. */
#ifndef COREWISE_VERIFY_OWN_THREADS_H
#define COREWISE_VERIFY_OWN_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

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
