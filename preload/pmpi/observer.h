/* The interface of observers: a library that implements it sees every MPI call of a rank, with its messages,
 * requests and communicators. It uses no type of MPI, so one observer works with every MPI.
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

/* Special values of a peer's rank. */
enum {
  CW_PEER_FOREIGN = -1, /* a process outside MPI_COMM_WORLD, or one that could not be resolved */
  CW_PEER_NONE = -2,    /* no message in this direction, or one to or from MPI_PROC_NULL */
  CW_PEER_ANY = -3,     /* MPI_ANY_SOURCE, before a message was received */
};

enum { CW_TAG_ANY = -1 /* MPI_ANY_TAG, before a message was received */ };

/* A communicator. All its members compute the same id, without messages, from the id of its parent, the
 * number of communicators that the parent created before, and the members (groups.h). */
struct cw_communicator {
  uint64_t id;    /* unique: a duplicate has a different id than its parent */
  uint64_t group; /* hash of `members`: equal for the same members in the same order */
  uint64_t remote_group;
  uint64_t parent;        /* id; 0: none or unknown */
  const int32_t* members; /* [rank] -> world rank; for an inter-communicator, of its local group */
  uint32_t n_members;
  int32_t own_rank; /* in `members` */
  bool is_inter;    /* `remote_group` is set */
  bool is_listed;   /* rows of the profile name it by `id`, else by `group`; the same on all members */
};

/* One message, as the calling process knows it. */
struct cw_message {
  int32_t peer;
  int32_t tag;
  uint64_t bytes; /* sent or received; before the receive is complete: size of the receive buffer */
};

enum cw_call_flag {
  CW_CALL_SENDS = 1, /* `sent` is valid: a message of this call, or of each start of a persistent request */
  CW_CALL_RECEIVES = 2, /* the same for `received` */
  CW_CALL_PROBES = 4,   /* `received` is the message that the call probes for. MPI_Mprobe and MPI_Improbe also
                           start an operation; MPI_Mrecv or the request of MPI_Imrecv completes it */
  CW_CALL_COMPLETES = 8, /* the call waits or tests for requests: `completed` lists those that are done */
  CW_CALL_GOT = 16,      /* `received` is a message that has arrived, from the status */
  CW_CALL_WAITS = 32,    /* the call returns only after a message has arrived or requests are done */
  CW_CALL_PREPARES = 64, /* the call creates a persistent request and transfers nothing */
  CW_CALL_BLOCKS = 128,  /* the call may have to wait for other processes: it waits (as above), sends, probes,
                            is a collective or synchronises a window */
};

/* An operation in progress. MPI reuses handles; the number is unique in this rank. Each start of a persistent
 * request is a new operation. */
struct cw_operation {
  uint64_t number; /* from 1 on */
  uint16_t call;   /* the call that created it */
  uint8_t flags;   /* CW_CALL_SENDS, CW_CALL_RECEIVES */
  uint64_t comm;   /* id; 0: none */
  struct cw_message sent;
  struct cw_message received; /* as the program requested it */
  uint64_t posted;            /* ticks: `begin` of the call that posted or started it */
};

enum cw_completed_flag {
  CW_COMPLETED_STATUS = 1,    /* `received` is the message that arrived */
  CW_COMPLETED_CANCELLED = 2, /* no message was sent or received */
  CW_COMPLETED_FREED = 4,     /* the program freed the request before the operation was complete */
};

/* The end of an operation, as a call reports it. The operation may have been complete earlier. */
struct cw_completion {
  const struct cw_operation* operation;
  uint8_t flags;
  int32_t error; /* MPI's error code; 0: none */
  struct cw_message received;
  uint64_t waited; /* ticks: time in the call that waited, divided by the number of operations it completed */
};

/* One call of the program. For `before`, MPI has not checked the arguments yet: only `name`, `call` and the
 * flags CW_CALL_WAITS and CW_CALL_BLOCKS are set. The same holds for `after` if the call failed, except for
 * the operations that it completed nevertheless. */
struct cw_call {
  const char* name; /* "MPI_Send" */
  uint16_t call;    /* index into cw_calls */
  uint8_t flags;
  int32_t error;                      /* MPI's error code; 0: success. A failed call counts nothing */
  const struct cw_communicator* comm; /* NULL: none, or not resolved */
  struct cw_message sent;
  struct cw_message received;
  uint64_t begin; /* after `before` has returned */
  uint64_t end;
  uint64_t waited; /* ticks in a receive or probe that waits for `received`; else 0 */
  /* What the call counts: itself, and its messages (of collectives, with root, bytes and peers). If `sent`
   * and `received` say all, only with needs_counts. */
  const struct cw_event* counts;
  uint32_t n_counts;
  const struct cw_operation* posted; /* operations that started */
  uint32_t n_posted;
  const struct cw_completion* completed; /* operations that ended */
  uint32_t n_completed;
};

/* A library with an observer defines it as a global object of this name (see the example above). */
#define CW_OBSERVER_SYMBOL "cw_observer"
#define CW_OBSERVER_VERSION 7u /* incremented at each change of the structs here */

/* The functions of an observer. Each may be NULL; none may end the process. Observers of this library are
 * called first, in the order of ../register.c, then those of other libraries, in the order of
 * COREWISE_OBSERVE.
 *
 * Threads. `prepare`, `start` and `finish` are called on the thread that calls MPI_Init and
 * MPI_Finalize. The others are called on any thread, possibly at the same time. MPI calls that an observer
 * makes are not observed.
 *
 * Sessions. In a program without MPI_Init, the first MPI_Session_init and the last MPI_Session_finalize take
 * the places of MPI_Init and MPI_Finalize. There is no MPI_COMM_WORLD then. If a program starts MPI again,
 * all functions are called again.
 *
 * Time. `before` may block and may act on the process; its duration is not part of the call. All other
 * functions delay the program and must be fast. If an error handler leaves a call by an exception or longjmp,
 * `after` is not called. */
struct cw_observer {
  uint32_t version;      /* CW_OBSERVER_VERSION */
  const char* name;      /* for COREWISE_OBSERVE */
  bool needs_store;      /* start only if the profile can be written */
  bool needs_counts;     /* set `counts` for every call */
  void (*prepare)(void); /* before MPI_Init does anything */
  /* After `prepare`: will the observer call MPI on a separate thread? If so, MPI is started with
   * MPI_THREAD_MULTIPLE. NULL: no. */
  bool (*has_mpi_thread)(void);
  void (*start)(void);       /* at the end of MPI_Init, after the store was opened */
  bool (*wants_calls)(void); /* after `start`: should `before` and `after` be called? NULL: yes */
  void (*before)(const struct cw_call* call);
  void (*after)(const struct cw_call* call);
  /* Once for each communicator without members outside MPI_COMM_WORLD, on its rank 0: when it is created if
   * it is listed, else at its first collective. */
  void (*communicator)(const struct cw_communicator* comm);
  /* At MPI_Comm_set_name, on rank 0 of a listed communicator. */
  void (*named)(const struct cw_communicator* comm, const char* name);
  void (*region)(int32_t level); /* at MPI_Pcontrol, on the calling thread */
  void (*finish)(void);          /* at the start of MPI_Finalize */
};

#endif
