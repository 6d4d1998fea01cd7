/* The profile of one node: the file that all ranks of a node write together while the job runs.
 *
 * A file is a header, the table of calls (both there before the file gets its name), and chunks of
 * CW_PROFILE_CHUNK_BYTES or a multiple, which say their size themselves. Ranks take chunks by adding to
 * header.next_free; a chunk of kind 0 was taken but never filled (its rank was killed, or the disk was full),
 * or is no longer needed. A reader skips it, and every kind that it does not know, by its size. Each row has
 * one writing thread, so a reader may look at any moment. FORMATS.md says the same in prose. Integers are in
 * the writer's byte order, which `endian` tells. */
#ifndef COREWISE_FORMATS_PROFILE_H
#define COREWISE_FORMATS_PROFILE_H

#include <corewise_formats/node.h>
#include <stdint.h>

#define CW_PROFILE_SUFFIX ".cwprof"
#define CW_PROFILE_MAGIC "CWPROF\r\n"
#define CW_PROFILE_VERSION 2u
#define CW_PROFILE_OLDEST_VERSION 1u /* that readers still read */
#define CW_PROFILE_ENDIAN 0x01020304u
#define CW_PROFILE_CHUNK_BYTES 4096u
/* Affinity masks of up to 4096 hardware threads: bit i % 8 of byte i / 8 is os_index i. */
#define CW_PROFILE_MASK_BYTES 512u
#define CW_PROFILE_MAX_RANKS (1u << 22)

/* Layers of traffic. Calls of MPI-IO have bytes and no peer. */
enum cw_profile_layer { CW_LAYER_P2P = 0, CW_LAYER_COLL = 1, CW_LAYER_RMA = 2, CW_LAYER_IO = 3 };

/* How a collective's bytes flow between the members of its communicator; see FORMATS.md for each call. */
enum cw_profile_flow {
  CW_FLOW_NONE = 0,
  CW_FLOW_FROM_ROOT = 1,     /* the root sends `bytes` to every other member */
  CW_FLOW_TO_ROOT = 2,       /* every other member sends `bytes` to the root */
  CW_FLOW_ALL_PAIRS = 3,     /* every member sends `bytes` to every other member */
  CW_FLOW_THROUGH_FIRST = 4, /* to the communicator's rank 0, and from it to every other member */
  CW_FLOW_CHAIN = 5,         /* member i sends `bytes` to member i + 1 */
};

/* What a chunk holds. A new kind takes the next number; readers without it skip its chunks. */
enum cw_profile_chunk_kind {
  CW_CHUNK_EMPTY = 0,
  CW_CHUNK_RANK = 1,
  CW_CHUNK_ROWS = 2,
  CW_CHUNK_GROUP = 3,
  CW_CHUNK_THREADS = 4,
  CW_CHUNK_REFUSED = 5, /* a second program that claimed a rank which another had taken: not recorded */
  CW_CHUNK_THREAD_TIMES = 6,
  CW_CHUNK_WINDOWS = 7, /* from version 2 on, as all that follow */
  CW_CHUNK_COMMS = 8,
  CW_CHUNK_EVENTS = 9,
  CW_CHUNK_CLOCKS = 10,
  CW_CHUNK_GROUPS = 11,
  CW_CHUNK_CONNECTIONS = 12,
  CW_N_CHUNK_KINDS = 13
};

/* How a rank came to know processes outside its MPI_COMM_WORLD. */
enum cw_profile_connection_kind {
  CW_CONNECTION_SPAWNS = 0,   /* MPI_Comm_spawn or MPI_Comm_spawn_multiple */
  CW_CONNECTION_SPAWNED = 1,  /* it was spawned by them: MPI_Comm_get_parent */
  CW_CONNECTION_ACCEPTS = 2,  /* MPI_Comm_accept */
  CW_CONNECTION_CONNECTS = 3, /* MPI_Comm_connect */
  CW_N_CONNECTION_KINDS = 4
};

/* What a row counts. A row with CALL holds calls and their time; the others hold transfers of calls that
 * another row counts (to one peer of an all-to-all-v, of one start of a persistent send). */
enum cw_profile_row_flag {
  CW_ROW_CALL = 1,
  CW_ROW_TO_PEER = 2,   /* `bytes` went from the rank to `peer` */
  CW_ROW_FROM_PEER = 4, /* `bytes` came from `peer` (one-sided get) */
  CW_ROW_COLLECTIVE =
      8,            /* `bytes` flow as the call's cw_profile_flow says, in the group `group`, root `peer` */
  CW_ROW_WAIT = 16, /* `count` messages from or to `peer` were waited for, `ticks` long; the calls that
                       waited have their own rows, which hold this time too */
};

/* What a rank recorded. */
enum cw_profile_mode {
  CW_MODE_TIME = 0,   /* calls, bytes and time; all of version 1 */
  CW_MODE_COUNT = 1,  /* calls and bytes, no time */
  CW_MODE_EVENTS = 2, /* calls, bytes, time, and each event */
};

/* The MPI library that the rank was linked with. */
enum cw_profile_mpi_library {
  CW_MPI_LIBRARY_UNKNOWN = 0, /* of an older writer */
  CW_MPI_LIBRARY_OPENMPI = 1,
  CW_MPI_LIBRARY_MPICH = 2, /* and the libraries that come from it */
};

/* What an event is; see FORMATS.md, "Events". */
enum cw_profile_event_flag {
  CW_EVENT_SENDS = 1, /* one message to `peer` */
  CW_EVENT_RECEIVES =
      2, /* one message from `peer`: a blocking call's real source, else as it was asked for */
  CW_EVENT_COLLECTIVE = 4, /* `bytes` as in a row with CW_ROW_COLLECTIVE, root `peer` */
  CW_EVENT_STARTS = 8,     /* the message or collective has a request, which another event completes */
  CW_EVENT_COMPLETES = 16, /* requests that the call completed are listed, perhaps none */
  CW_EVENT_PART = 32,      /* a further message of the event before it; has no times */
  CW_EVENT_FAILED = 64,    /* the call returned an error */
};

/* What is before a completed request in an event with CW_EVENT_COMPLETES. */
enum cw_profile_completion_flag {
  CW_COMPLETION_STATUS = 1,    /* source, tag and bytes follow: those of the request are not the real ones */
  CW_COMPLETION_CANCELLED = 2, /* no message was sent or received */
};

/* What the tracer could not do, counted for each rank. */
enum cw_profile_fault {
  CW_FAULT_NO_SPACE = 0,     /* calls not counted: no room in the file (disk full, quota, file size limit) */
  CW_FAULT_NO_MEMORY = 1,    /* calls not counted: out of memory */
  CW_FAULT_FOREIGN_PEER = 2, /* messages to an unknown process outside MPI_COMM_WORLD: time counted, bytes not
                              */
  CW_FAULT_REQUEST = 3,      /* persistent requests started that were not seen when they were made */
  CW_FAULT_UNRESOLVED = 4,   /* communicators or windows that could not be resolved */
  CW_N_FAULTS = 8
};

struct cw_profile_header {
  char magic[8];
  uint32_t version;
  uint32_t endian;
  uint32_t n_ranks; /* of MPI_COMM_WORLD, the one of the processes that write this file */
  uint32_t n_calls;
  uint64_t calls_offset;  /* of n_calls struct cw_profile_call */
  uint64_t chunks_offset; /* of the first chunk */
  uint64_t
      next_free; /* end of the chunks handed out so far; may lie past the end of the file on a full disk */
  int64_t created_unix_ns;
  uint32_t reported; /* 1: a rank has reported on stderr what was not recorded */
  uint32_t reserved;
  char job[128]; /* the same in all files of a job; ends in 0 */
  /* Only `host` is there where calls_offset says that the header ends before the rest (an older writer). */
  struct cw_node node;
  char world[32]; /* which MPI_COMM_WORLD, the same in all its files; empty: the one that the launcher started
                   */
};

struct cw_profile_call {
  char name[40]; /* "MPI_Send"; ends in 0 */
  uint8_t layer;
  uint8_t flow;
  uint8_t reserved[6];
};

/* The head of every chunk. `kind` and `bytes` mean the same in all kinds. */
struct cw_profile_chunk {
  uint32_t kind;
  uint32_t bytes; /* with this head; a multiple of CW_PROFILE_CHUNK_BYTES; 0 in a chunk that nobody began to
                     fill */
  int32_t rank;   /* in MPI_COMM_WORLD, or in mpi://WORLD where there is none */
  uint32_t thread;
  uint64_t last_ticks; /* rows, first chunk of a thread: end of the thread's last call */
  uint32_t n_items; /* group: ranges; groups, threads, thread times, communicators, clocks, events: entries */
  uint32_t first_row; /* rows, from version 2 on: how many rows the thread's chunks before this one have */
  uint32_t reserved[8];
};

/* Follows a chunk of kind RANK. */
struct cw_profile_rank {
  uint32_t pid;
  uint32_t finished; /* 1: reached MPI_Finalize, or the end of its last session */
  double ticks_per_s;
  uint64_t begin_ticks; /* end of MPI_Init */
  uint64_t end_ticks;   /* begin of MPI_Finalize; 0 before */
  int64_t begin_unix_ns;
  uint64_t faults[CW_N_FAULTS];
  uint32_t traced;                     /* 1: calls are recorded */
  uint32_t mask_bytes;                 /* valid bytes of `mask`; 0: the mask was not recorded */
  uint8_t mask[CW_PROFILE_MASK_BYTES]; /* affinity of the thread that called MPI_Init, at its end */
  uint64_t cpu_ns;           /* CPU time of all threads, ended ones too, from begin to end; 0: not recorded */
  uint32_t mode;             /* cw_profile_mode */
  uint32_t mpi_library;      /* cw_profile_mpi_library */
  uint64_t n_events_dropped; /* left out: the user's size limit was reached, or the disk was full */
};

/* Size class of a message: the bits of its size. Class 0 is empty, class k holds 2^(k-1) <= bytes < 2^k. The
 * first row with count 0 ends the rows of a chunk. */
struct cw_profile_row {
  int32_t peer; /* world rank, or -2 - i: number i of the processes outside MPI_COMM_WORLD that the rank knows
                   (cw_profile_connection); for collectives the root (rank in the group) or -1; else -1 */
  uint16_t call;
  uint8_t size_class;
  uint8_t flags;   /* cw_profile_row_flag */
  uint64_t group;  /* id of the communicator, or of its group of members; 0: not recorded */
  uint64_t window; /* 0: windows have their own chunks */
  uint64_t count;
  uint64_t bytes;
  uint64_t ticks;
};

/* The world ranks of an ordered group, in order, as the ranges that follow it. The id is a hash of that list;
 * the group's rank 0 writes it. Chunks of kind GROUPS hold n_items of these, each at a multiple of 8 bytes;
 * one of kind GROUP, which older writers used, holds one, of n_items ranges. */
struct cw_profile_group {
  uint64_t id;
  uint32_t n_members;
  uint32_t n_ranges; /* 0 in a chunk of kind GROUP */
};

struct cw_profile_range {
  int32_t first;
  int32_t stride;
  uint32_t count;
};

/* Chunks of kind COMMS hold n_items of these: communicators, each written by its rank 0. The id is the same
 * in all members; a duplicate has another one than its parent. Rows of a communicator that is not listed name
 * the group of its members instead. */
struct cw_profile_comm {
  uint64_t id;
  uint64_t group;        /* its members; of an inter-communicator the local ones */
  uint64_t remote_group; /* 0: no inter-communicator */
  uint64_t parent;       /* id of the communicator it was made from; 0: none or unknown */
  char name[32];         /* as MPI_Comm_set_name gave it, cut to 31 bytes; empty: none */
};

/* Chunks of kind CONNECTIONS hold n_items of these: an inter-communicator between some ranks of this
 * MPI_COMM_WORLD (one side) and processes outside of it (the other side), as one rank knows it. Where both
 * sides are in the profile, a reader finds out which two belong together (FORMATS.md, "Spawned processes").
 */
struct cw_profile_connection {
  uint64_t id;           /* the same in all ranks of the side, and of no other connection of them */
  uint64_t spawner;      /* hash of the name that MPI has for the process that spawned; 0: unknown */
  int64_t begin_unix_ns; /* of the call; of spawned processes of their MPI_Init */
  int64_t end_unix_ns;
  uint32_t kind; /* cw_profile_connection_kind */
  uint32_t n_own;
  uint32_t own_rank; /* of this rank in its side */
  uint32_t n_other;
  uint32_t first; /* number that the other side's rank 0 has among the processes outside; the others follow */
  uint32_t is_root; /* 1: it spawned, accepted or connected for its side; of spawned ones rank 0 */
};

/* Follows a chunk of kind WINDOWS, then `used_bytes` of records: what a thread's rows grew by in stretches of
 * time (FORMATS.md, "Windows"). Of a thread only chunks of its highest level count. */
struct cw_profile_windows {
  uint64_t window_ns;    /* length of a window of level 0; window k is [k, k + 1) * window_ns since 1970 */
  uint64_t first_number; /* number that the first record counts from, in windows of this level */
  uint64_t used_bytes;   /* grows as the last thing when a record is written */
  uint32_t level;        /* windows of this chunk are window_ns << level long, and so numbered */
  int32_t open_region;   /* MPI_Pcontrol's level after the last record */
};

/* Follows a chunk of kind EVENTS, then `used_bytes` of records (FORMATS.md, "Events"). */
struct cw_profile_events {
  uint64_t first_event; /* events of the thread before this chunk, those that were left out too */
  uint64_t begin_ticks; /* what the gap of the first event counts from, in ticks >> shift */
  uint64_t used_bytes;  /* grows as the last thing when a record is written */
  uint32_t shift;       /* times of this chunk are in ticks >> shift */
  uint32_t reserved;
};

/* Chunks of kind CLOCKS hold n_items of these, of which each rank may have several: at `ticks` of the rank,
 * the clock of `reference_rank` showed `reference_ns`, off by at most `error_ns`. Between two of them clocks
 * are taken to run evenly. */
struct cw_profile_clock {
  uint64_t ticks;
  int64_t reference_ns; /* since 1970 */
  uint64_t error_ns;
  int32_t reference_rank;
  uint32_t reserved;
};

/* Chunks of kind THREADS hold n_items of these: every thread of the process at MPI_Finalize. */
struct cw_profile_thread {
  uint32_t tid;
  uint32_t mask_bytes;
  char name[16];
  uint8_t mask[CW_PROFILE_MASK_BYTES];
};

/* Chunks of kind THREAD_TIMES hold n_items of these, one for each entry of kind THREADS. */
struct cw_profile_thread_time {
  uint32_t tid;
  uint32_t of_mpi; /* 1: MPI_Init started the thread, so it is the library's own */
  uint64_t cpu_ns; /* CPU time since the thread began */
};

#endif
