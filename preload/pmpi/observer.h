/* The interface of observers: a library implements it to see every MPI call of a rank, with its messages,
 * requests and communicators. No type of MPI occurs in it, so one observer works with every MPI.
 *
 *     static void after(const struct cw_call* call) { if (call->flags & CW_CALL_SENDS) count(&call->sent); }
 *     const struct cw_observer cw_observer = {.version = CW_OBSERVER_VERSION, .name = "count", .after =
 * after};
 *
 * COREWISE_OBSERVE=PATH_OF_THE_LIBRARY loads it (docs/contributing/adding/observer.md).
 *
 * Units: ranks are those of MPI_COMM_WORLD unless a comment names another communicator; times are ticks
 * (store/clock.h). Ownership: corewise owns everything that a call points to. It is valid while the
 * observer's function runs, except for a communicator, which is valid until MPI frees it. */
#ifndef COREWISE_PMPI_OBSERVER_H
#define COREWISE_PMPI_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "../counters/event.h"

/* In place of a peer's rank. */
enum {
  CW_PEER_FOREIGN = -1, /* a process outside MPI_COMM_WORLD, or one that could not be resolved */
  CW_PEER_NONE = -2,    /* no message in this direction, or one to or from MPI_PROC_NULL */
  CW_PEER_ANY = -3,     /* MPI_ANY_SOURCE, where nothing has been received yet */
};

enum { CW_TAG_ANY = -1 /* MPI_ANY_TAG, likewise */ };

/* A communicator. Members of the same communicator compute the same id without a message: from its parent's
 * id, how many communicators the parent had made before, and the members (groups.h). */
struct cw_communicator {
  uint64_t id;    /* its own: a duplicate has another one than its parent */
  uint64_t group; /* hash of `members`: equal for the same members in the same order */
  uint64_t remote_group;
  uint64_t parent;        /* id; 0: none, or not known */
  const int32_t* members; /* [rank] -> world rank; of an inter-communicator its local group */
  uint32_t n_members;
  int32_t own_rank; /* in `members` */
  bool is_inter;    /* `remote_group` is set */
  bool is_listed;   /* rows of the profile name it by `id`, else by `group`; the same in all members */
};

/* One message as the process that makes the call knows it. */
struct cw_message {
  int32_t peer;
  int32_t tag;
  uint64_t bytes; /* sent; received, or the room for them as long as nothing has been received */
};

enum cw_call_flag {
  CW_CALL_SENDS = 1,    /* `sent` is a message of this call, or of each start of what it prepares */
  CW_CALL_RECEIVES = 2, /* `received` likewise */
  CW_CALL_PROBES = 4,   /* `received` is a message that was probed for and stays where it is; where MPI_Mprobe
                           or MPI_Improbe takes it, an operation begins that MPI_Mrecv completes, or the
                           request of MPI_Imrecv */
  CW_CALL_COMPLETES = 8, /* the call waits or tests for requests: `completed` says which ones are done */
  CW_CALL_GOT = 16,      /* `received` is what the status says of a message that is there */
  CW_CALL_WAITS = 32,    /* the call returns only when a message is there or requests are done */
  CW_CALL_PREPARES = 64, /* the call makes a persistent request and transfers nothing */
  CW_CALL_BLOCKS = 128,  /* the call may take until others have done their part: it waits (as above), sends,
                            probes, is a collective or synchronises a window */
};

/* An operation under way. MPI uses handles again; a number belongs to one operation of this rank alone, and
 * each start of a persistent request has a new one. */
struct cw_operation {
  uint64_t number; /* from 1 on */
  uint16_t call;   /* that made it */
  uint8_t flags;   /* CW_CALL_SENDS, CW_CALL_RECEIVES */
  uint64_t comm;   /* id; 0: none */
  struct cw_message sent;
  struct cw_message received; /* as asked for */
  uint64_t posted;            /* begin of the call that posted or started it */
};

enum cw_completed_flag {
  CW_COMPLETED_STATUS = 1,    /* `received` is the message that arrived */
  CW_COMPLETED_CANCELLED = 2, /* no message was sent or received */
  CW_COMPLETED_FREED = 4,     /* the program gave the handle back while it was under way */
};

/* The end of an operation, at the `end` of the call that says so: it may have been complete earlier. */
struct cw_completion {
  const struct cw_operation* operation;
  uint8_t flags;
  int32_t error; /* MPI's error code; 0: none */
  struct cw_message received;
  uint64_t waited; /* ticks: its share of the time in a call that waits, the same for all that it completed */
};

/* One call of the program. In `before` MPI has not accepted the arguments yet: only `name`, `call` and the
 * flags CW_CALL_WAITS and CW_CALL_BLOCKS are set. They are all that is known of a call that failed, apart
 * from the operations that it completed. */
struct cw_call {
  const char* name; /* "MPI_Send" */
  uint16_t call;    /* index into cw_calls */
  uint8_t flags;
  int32_t error;                      /* MPI's error code; 0: it succeeded. Then nothing was counted. */
  const struct cw_communicator* comm; /* NULL: none, or not resolved */
  struct cw_message sent;
  struct cw_message received;
  uint64_t begin; /* after `before` has returned */
  uint64_t end;
  uint64_t waited;               /* ticks in a receive or probe that waits for `received`; else 0 */
  const struct cw_event* counts; /* the call itself and its transfers: root, bytes and peers of collectives;
                                    of a call whose `sent` and `received` say all, only where asked for */
  uint32_t n_counts;
  const struct cw_operation* posted; /* operations that began */
  uint32_t n_posted;
  const struct cw_completion* completed; /* operations that ended */
  uint32_t n_completed;
};

/* Another library offers an observer as the object of this name, and COREWISE_OBSERVE its path (observers.h).
 */
#define CW_OBSERVER_SYMBOL "cw_observer"
#define CW_OBSERVER_VERSION 6u /* grows with each change of the structs here */

/* The functions of an observer; each may be NULL, and none may end the process. Observers of this library are
 * called first, in the order of ../register.c, then those of other libraries in the order of
 * COREWISE_OBSERVE.
 *
 * Threads. The thread that calls MPI_Init and MPI_Finalize calls `prepare`, `exchange`, `start` and `finish`.
 * Any threads call the others, also at the same time. MPI calls of an observer are not observed.
 *
 * Sessions. In a program without MPI_Init, the first MPI_Session_init takes the place of MPI_Init below, and
 * the last MPI_Session_finalize that of MPI_Finalize. There is no MPI_COMM_WORLD then, and `exchange` is not
 * called. If a program starts MPI once more, all functions are called again.
 *
 * Time. `before` may block and may act on the process: its duration is not part of the call. All other
 * functions are on the path of the call and must return at once. If an error handler leaves a call by an
 * exception or longjmp, `after` is not called. */
struct cw_observer {
  uint32_t version;      /* CW_OBSERVER_VERSION */
  const char* name;      /* as COREWISE_OBSERVE lists it */
  bool needs_store;      /* without COREWISE_DIR, or where the profile can't be written, it is not started */
  bool needs_counts;     /* `counts` are passed for every call */
  void (*prepare)(void); /* before MPI_Init does anything */
  /* After `prepare`: will a thread of the observer's own call MPI? Then MPI is started with
   * MPI_THREAD_MULTIPLE, whatever the program asks for. NULL: no. */
  bool (*has_mpi_thread)(void);
  /* At the end of MPI_Init, before `start`, in every process: the one place for collective calls, because a
   * process that left one out would leave all others waiting. So it is called whatever went wrong before:
   * `able` is false if `start` will not be called. */
  void (*exchange)(bool able);
  void (*start)(void);       /* at the end of MPI_Init, with the store open */
  bool (*wants_calls)(void); /* after `start`: are `before` and `after` to be called? NULL: yes */
  void (*before)(const struct cw_call* call);
  void (*after)(const struct cw_call* call);
  /* Once, in rank 0 of a communicator: of a listed one when it is made, of others at their first collective.
   * Not where some members are foreign. */
  void (*communicator)(const struct cw_communicator* comm);
  /* At MPI_Comm_set_name, in rank 0 of a listed communicator. */
  void (*named)(const struct cw_communicator* comm, const char* name);
  void (*region)(int32_t level); /* at MPI_Pcontrol, by the thread that made it */
  void (*finish)(void);          /* at the start of MPI_Finalize */
};

#endif
