/* Wrappers of MPI_Session_init and MPI_Session_finalize in C and Fortran: recording lasts while a program
 * without MPI_Init has sessions. */
#include <pthread.h>

#include "layer.h"
#include "wrapper.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* threads may have a session each */
static uint32_t n_sessions;

/* Fortran functions may call those of C: only the outermost counts. */
static __thread bool inside __attribute__((tls_model("initial-exec")));

static bool enter(void) {
  const bool outermost = !inside;
  inside = true;
  return outermost;
}

static bool begin_init(void) {
  if (!enter()) return false;
  pthread_mutex_lock(&lock);
  if (n_sessions == 0) cw_layer_prepare();
  pthread_mutex_unlock(&lock);
  return true;
}

static void end_init(bool outermost, int result) {
  if (!outermost) return;
  inside = false;
  if (result != MPI_SUCCESS) return;
  pthread_mutex_lock(&lock);
  if (n_sessions++ == 0) cw_layer_start_by_session();
  pthread_mutex_unlock(&lock);
}

static bool begin_finalize(void) {
  if (!enter()) return false;
  pthread_mutex_lock(&lock);
  if (n_sessions > 0 && --n_sessions == 0) cw_layer_finish_by_session();
  pthread_mutex_unlock(&lock);
  return true;
}

static void end_finalize(bool outermost) {
  if (outermost) inside = false;
}

/* Declared here with neutral types, because the mpi.h of the build may lack these functions, and because a
 * handle may be an int in that mpi.h, but a pointer in the loaded MPI. */
extern int cw_next_session_init(intptr_t info, intptr_t errhandler,
                                void* session) __asm__("PMPI_Session_init") __attribute__((weak));
extern int cw_next_session_finalize(void* session) __asm__("PMPI_Session_finalize") __attribute__((weak));
CW_WRAPPER int cw_session_init(intptr_t info, intptr_t errhandler, void* session) __asm__("MPI_Session_init");
CW_WRAPPER int cw_session_finalize(void* session) __asm__("MPI_Session_finalize");

CW_WRAPPER int cw_session_init(intptr_t info, intptr_t errhandler, void* session) {
  const bool outermost = begin_init();
  const int result = cw_next_session_init(info, errhandler, session);
  end_init(outermost, result);
  return result;
}
CW_NAME(session_init, "MPI_Session_init")

CW_WRAPPER int cw_session_finalize(void* session) {
  const bool outermost = begin_finalize();
  const int result = cw_next_session_finalize(session);
  end_finalize(outermost);
  return result;
}
CW_NAME(session_finalize, "MPI_Session_finalize")

#define CW_FORTRAN_DECLARED(prefix, suffix)                                                           \
  extern void prefix##session_init##suffix(void* info, void* errhandler, void* session, void* ierror) \
      __attribute__((weak));                                                                          \
  extern void prefix##session_finalize##suffix(void* session, void* ierror) __attribute__((weak))

#define CW_FORTRAN_SESSIONS(own, other, suffix)                                                         \
  CW_WRAPPER void mpi_session_init##suffix(void* info, void* errhandler, void* session, void* ierror) { \
    const bool outermost = begin_init();                                                                \
    CW_FORTRAN_TARGET(own##session_init##suffix, other##session_init##suffix)                           \
    (info, errhandler, session, ierror);                                                                \
    end_init(outermost, cw_fortran_result(ierror));                                                     \
  }                                                                                                     \
  CW_NAME(mpi_session_init##suffix, "mpi_session_init" #suffix)                                         \
  CW_WRAPPER void mpi_session_finalize##suffix(void* session, void* ierror) {                           \
    const bool outermost = begin_finalize();                                                            \
    CW_FORTRAN_TARGET(own##session_finalize##suffix, other##session_finalize##suffix)(session, ierror); \
    end_finalize(outermost);                                                                            \
  }                                                                                                     \
  CW_NAME(mpi_session_finalize##suffix, "mpi_session_finalize" #suffix)

CW_FORTRAN_ENTRIES(CW_FORTRAN_DECLARED, CW_FORTRAN_SESSIONS)
