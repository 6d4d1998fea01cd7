! twin.c in Fortran: the same messages by mpif.h (-DTWIN_MPIF), `use mpi` (-DTWIN_USE_MPI) or mpi_f08 (-DTWIN_F08).
#ifdef TWIN_F08
#define COMM type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define TYPE_OF type(MPI_Datatype)
#define WINDOW type(MPI_Win)
#else
#define COMM integer
#define REQUEST integer
#define TYPE_OF integer
#define WINDOW integer
#endif
program twin
#ifdef TWIN_F08
  use mpi_f08
#endif
#ifdef TWIN_USE_MPI
  use mpi
#endif
  implicit none
#ifdef TWIN_MPIF
  include 'mpif.h'
#endif
  integer, asynchronous :: out(1000), in(1000), back(1000)
  integer, dimension(64) :: to, from, at
  TYPE_OF :: types(64)
  integer :: rank, n, next, last, ierror, i, provided, mine
  integer(kind=MPI_ADDRESS_KIND) :: window_bytes
  COMM :: half
  REQUEST :: requests(2)
  WINDOW :: window

  call MPI_Init_thread(MPI_THREAD_SINGLE, provided, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
  next = mod(rank + 1, n)
  last = mod(rank + n - 1, n)
  out = 1

  call MPI_Sendrecv(out, 10, MPI_INTEGER, next, 0, in, 10, MPI_INTEGER, last, 0, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, ierror)

  call MPI_Irecv(in, 20, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Isend(out, 20, MPI_INTEGER, last, 1, MPI_COMM_WORLD, requests(2), ierror)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)

  call MPI_Send_init(out, 3, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Recv_init(in, 3, MPI_INTEGER, last, 2, MPI_COMM_WORLD, requests(2), ierror)
  do i = 1, 4
    call MPI_Startall(2, requests, ierror)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
  end do
  call MPI_Request_free(requests(1), ierror)
  call MPI_Request_free(requests(2), ierror)

  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierror)
  call MPI_Comm_rank(half, mine, ierror)
  if (mine == 0) call MPI_Send(out, 5, MPI_INTEGER, 1, 3, half, ierror)
  if (mine == 1) call MPI_Recv(in, 5, MPI_INTEGER, 0, 3, half, MPI_STATUS_IGNORE, ierror)
  call MPI_Bcast(out, 7, MPI_INTEGER, 0, half, ierror)
  call MPI_Comm_free(half, ierror)

  call MPI_Allreduce(MPI_IN_PLACE, out, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  do i = 1, n
    to(i) = rank + i
    from(i) = i + rank
    at(i) = 100 * (i - 1)
    types(i) = MPI_INTEGER
  end do
  ! In place, what is received is what is sent: rank r and rank s exchange r + s + 1 integers.
  call MPI_Alltoallv(MPI_IN_PLACE, to, at, MPI_INTEGER, in, from, at, MPI_INTEGER, MPI_COMM_WORLD, ierror)
  at = 4 * at
  call MPI_Alltoallw(out, to, at, types, back, from, at, types, MPI_COMM_WORLD, ierror)

  window_bytes = 4000
  call MPI_Win_create(in, window_bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
  call MPI_Win_fence(0, window, ierror)
  window_bytes = 0
  call MPI_Put(out, 6, MPI_INTEGER, next, window_bytes, 6, MPI_INTEGER, window, ierror)
  call MPI_Win_fence(0, window, ierror)
  call MPI_Win_free(window, ierror)
#ifdef TWIN_F08
  call MPI_Finalize()
#else
  call MPI_Finalize(ierror)
#endif
end program twin
