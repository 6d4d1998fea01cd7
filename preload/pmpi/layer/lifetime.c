/* Wrappers of MPI_Init, MPI_Init_thread and MPI_Finalize in C and Fortran. */
#include "layer.h"
#include "wrapper.h"

/* MPI_Init of Fortran may call that of C: only the outermost one starts the layer. */
static __thread bool inside_init __attribute__((tls_model("initial-exec")));

static bool enter_init(void) {
  const bool outermost = !inside_init;
  inside_init = true;
  if (outermost) cw_layer_prepare();
  return outermost;
}

static void leave_init(bool outermost, int result) {
  if (!outermost) return;
  if (result == MPI_SUCCESS) cw_layer_start();
  inside_init = false;
}

CW_WRAPPER int MPI_Init(int* argc, char*** argv) {
  const bool outermost = enter_init();
  const int level = cw_layer_thread_level(MPI_THREAD_SINGLE);
  int provided;
  const int result =
      level == MPI_THREAD_SINGLE ? PMPI_Init(argc, argv) : PMPI_Init_thread(argc, argv, level, &provided);
  leave_init(outermost, result);
  return result;
}
CW_NAME(init, "MPI_Init")

CW_WRAPPER int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const bool outermost = enter_init();
  const int result = PMPI_Init_thread(argc, argv, cw_layer_thread_level(required), provided);
  leave_init(outermost, result);
  return result;
}
CW_NAME(init_thread, "MPI_Init_thread")

CW_WRAPPER int MPI_Finalize(void) {
  cw_layer_finish();
  return PMPI_Finalize();
}
CW_NAME(finalize, "MPI_Finalize")

#define CW_FORTRAN_DECLARED(prefix, suffix)                                             \
  extern void prefix##init##suffix(void* ierror) __attribute__((weak));                 \
  extern void prefix##init_thread##suffix(void* required, void* provided, void* ierror) \
      __attribute__((weak));                                                            \
  extern void prefix##finalize##suffix(void* ierror) __attribute__((weak))

#define CW_FORTRAN_LIFETIME(own, other, suffix)                                                           \
  CW_WRAPPER void mpi_init##suffix(void* ierror) {                                                        \
    const bool outermost = enter_init();                                                                  \
    MPI_Fint level = cw_layer_thread_level(MPI_THREAD_SINGLE), provided;                                  \
    if (level == MPI_THREAD_SINGLE) {                                                                     \
      CW_FORTRAN_TARGET(own##init##suffix, other##init##suffix)(ierror);                                  \
    } else {                                                                                              \
      CW_FORTRAN_TARGET(own##init_thread##suffix, other##init_thread##suffix)(&level, &provided, ierror); \
    }                                                                                                     \
    leave_init(outermost, cw_fortran_result(ierror));                                                     \
  }                                                                                                       \
  CW_NAME(mpi_init##suffix, "mpi_init" #suffix)                                                           \
  CW_WRAPPER void mpi_init_thread##suffix(void* required, void* provided, void* ierror) {                 \
    const bool outermost = enter_init();                                                                  \
    MPI_Fint level = cw_layer_thread_level(*(const MPI_Fint*)required);                                   \
    CW_FORTRAN_TARGET(own##init_thread##suffix, other##init_thread##suffix)(&level, provided, ierror);    \
    leave_init(outermost, cw_fortran_result(ierror));                                                     \
  }                                                                                                       \
  CW_NAME(mpi_init_thread##suffix, "mpi_init_thread" #suffix)                                             \
  CW_WRAPPER void mpi_finalize##suffix(void* ierror) {                                                    \
    cw_layer_finish();                                                                                    \
    CW_FORTRAN_TARGET(own##finalize##suffix, other##finalize##suffix)(ierror);                            \
  }                                                                                                       \
  CW_NAME(mpi_finalize##suffix, "mpi_finalize" #suffix)

CW_FORTRAN_ENTRIES(CW_FORTRAN_DECLARED, CW_FORTRAN_LIFETIME)
