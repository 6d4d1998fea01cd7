/* mpi.h for a library that does not link MPI. Functions that only this library calls are weak, so that it
 * loads into any program. Objects of Open MPI, such as MPI_COMM_WORLD, are reached by their Fortran numbers:
 * a weak reference to data is not resolved when MPI is loaded later. */
#ifndef COREWISE_PMPI_MPI_SYMBOLS_H
#define COREWISE_PMPI_MPI_SYMBOLS_H

#include <mpi.h>

#pragma weak PMPI_Init
#pragma weak PMPI_Init_thread
#pragma weak PMPI_Finalize
#pragma weak PMPI_Query_thread
#pragma weak PMPI_Allgather
#pragma weak PMPI_Close_port
#pragma weak PMPI_Comm_c2f
#pragma weak PMPI_Comm_f2c
#pragma weak PMPI_Comm_free
#pragma weak PMPI_Comm_create_keyval
#pragma weak PMPI_Comm_free_keyval
#pragma weak PMPI_Comm_get_attr
#pragma weak PMPI_Comm_get_name
#pragma weak PMPI_Comm_get_parent
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_remote_group
#pragma weak PMPI_Comm_set_attr
#pragma weak PMPI_Comm_set_errhandler
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_split
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Cart_shift
#pragma weak PMPI_Cartdim_get
#pragma weak PMPI_Dist_graph_neighbors
#pragma weak PMPI_Dist_graph_neighbors_count
#pragma weak PMPI_Graph_neighbors
#pragma weak PMPI_Graph_neighbors_count
#pragma weak PMPI_Topo_test
#pragma weak PMPI_Errhandler_f2c
#pragma weak PMPI_Error_class
#pragma weak PMPI_Get_elements_x
#pragma weak PMPI_Group_free
#pragma weak PMPI_Group_rank
#pragma weak PMPI_Group_size
#pragma weak PMPI_Group_translate_ranks
#pragma weak PMPI_Ibarrier
#pragma weak PMPI_Info_f2c
#pragma weak PMPI_Iprobe
#pragma weak PMPI_Irecv
#pragma weak PMPI_Issend
#pragma weak PMPI_Message_f2c
#pragma weak PMPI_Open_port
#pragma weak PMPI_Request_f2c
#pragma weak PMPI_T_finalize
#pragma weak PMPI_T_init_thread
#pragma weak PMPI_T_pvar_get_info
#pragma weak PMPI_T_pvar_get_num
#pragma weak PMPI_T_pvar_handle_alloc
#pragma weak PMPI_T_pvar_read
#pragma weak PMPI_T_pvar_session_create
#pragma weak PMPI_T_pvar_session_free
#pragma weak PMPI_T_pvar_start
#pragma weak PMPI_Test
#pragma weak PMPI_Test_cancelled
#pragma weak PMPI_Type_f2c
#pragma weak PMPI_Type_size_x
#pragma weak PMPI_Win_create_keyval
#pragma weak PMPI_Win_f2c
#pragma weak PMPI_Win_free_keyval
#pragma weak PMPI_Win_get_attr
#pragma weak PMPI_Win_get_group
#pragma weak PMPI_Win_set_attr

/* The mpi.h of the build, for example that of Open MPI 4.1, may lack sessions although the MPI that the
 * program loads has them. */
#if MPI_VERSION < 4
#ifdef OPEN_MPI
typedef struct ompi_instance_t* MPI_Session;
#else
typedef int MPI_Session;
#endif
int PMPI_Group_from_session_pset(MPI_Session session, const char* pset_name, MPI_Group* newgroup);
int PMPI_Session_finalize(MPI_Session* session);
int PMPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session);
#endif
#pragma weak PMPI_Group_from_session_pset
#pragma weak PMPI_Session_finalize
#pragma weak PMPI_Session_init

/* The standard ABI has other names for the functions that convert Fortran handles. */
#ifdef CW_MPI_ABI
typedef int MPI_Fint;
#define PMPI_Message_f2c PMPI_Message_fromint
#define PMPI_Request_f2c PMPI_Request_fromint
#define PMPI_Type_f2c PMPI_Type_fromint
#pragma weak PMPI_Message_fromint
#pragma weak PMPI_Request_fromint
#pragma weak PMPI_Type_fromint
#endif

#ifdef OPEN_MPI
/* Fortran numbers of Open MPI since 1.0 (ompi/include/mpif-values.pl): communicators 0 world, 1 self, 2 null;
 * error handlers 0 null, 1 fatal, 2 return. */
#define CW_COMM_WORLD PMPI_Comm_f2c(0)
#define CW_COMM_SELF PMPI_Comm_f2c(1)
#define CW_COMM_NULL PMPI_Comm_f2c(2)
#define CW_IS_COMM_NULL(comm) (PMPI_Comm_c2f(comm) == 2)
#define CW_INFO_NULL PMPI_Info_f2c(0)
#define CW_ERRORS_RETURN PMPI_Errhandler_f2c(2)
#define CW_IS_COMM(comm) (!CW_IS_COMM_NULL(comm))
#else
#define CW_COMM_WORLD MPI_COMM_WORLD
#define CW_COMM_SELF MPI_COMM_SELF
#define CW_COMM_NULL MPI_COMM_NULL
#define CW_IS_COMM_NULL(comm) ((comm) == MPI_COMM_NULL)
#define CW_INFO_NULL MPI_INFO_NULL
#define CW_ERRORS_RETURN MPI_ERRORS_RETURN
/* Could this be a valid handle of the same kind as `null`? Checked without calling MPI. In MPICH the upper
 * two bits of a handle are not both 0, and the next four are its kind (src/include/mpir_objects.h,
 * HANDLE_KIND_SHIFT and HANDLE_MPI_KIND_SHIFT). */
#ifdef CW_MPI_ABI
#define CW_IS_HANDLE(handle, null) ((handle) != (null))
#else
#define CW_IS_HANDLE(handle, null) \
  (((unsigned)(handle) >> 30) != 0 && (((unsigned)(handle) ^ (unsigned)(null)) >> 26 & 0xf) == 0)
#endif
#define CW_IS_COMM(comm) CW_IS_HANDLE(comm, MPI_COMM_NULL)
#endif

#endif
