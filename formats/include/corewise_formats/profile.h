/* The profile of one node: a file that all ranks of the node write together while the job runs. FORMATS.md
 * describes it, too.
 *
 * A file has a header, a table of calls, and chunks. Header and table are complete before the file gets its
 * name. The size of a chunk is a multiple of CW_PROFILE_CHUNK_BYTES and is stored in its head. Ranks allocate
 * chunks by adding to header.next_free. A chunk of kind 0 was allocated but not filled (its rank was killed,
 * or the disk was full), or is no longer needed. A reader skips these chunks, and all chunks of unknown
 * kinds, by their size. Only one thread writes to a row, so a file can be read at any time. Integers are in
 * the writer's byte order, which `endian` shows. */
#ifndef COREWISE_FORMATS_PROFILE_H
#define COREWISE_FORMATS_PROFILE_H

#include <corewise_formats/node.h>
#include <stdint.h>

#define CW_PROFILE_SUFFIX ".cwprof"
#define CW_PROFILE_MAGIC "CWPROF\r\n"
#define CW_PROFILE_VERSION 2u
#define CW_PROFILE_OLDEST_VERSION 1u /* oldest version that can be read */
#define CW_PROFILE_ENDIAN 0x01020304u
#define CW_PROFILE_CHUNK_BYTES 4096u
/* Affinity masks of up to 4096 hardware threads: bit i % 8 of byte i / 8 stands for OS index i. */
#define CW_PROFILE_MASK_BYTES 512u
#define CW_PROFILE_MAX_RANKS (1u << 22)

/* Kinds of calls. MPI-IO has bytes but no peer. */
enum cw_profile_layer { CW_LAYER_P2P = 0, CW_LAYER_COLL = 1, CW_LAYER_RMA = 2, CW_LAYER_IO = 3 };

/* How a collective's bytes flow between the members of its communicator; see FORMATS.md for each call. */
enum cw_profile_flow {
  CW_FLOW_NONE = 0,
  CW_FLOW_FROM_ROOT = 1,     /* the root sends `bytes` to every other member */
  CW_FLOW_TO_ROOT = 2,       /* every other member sends `bytes` to the root */
  CW_FLOW_ALL_PAIRS = 3,     /* every member sends `bytes` to every other member */
  CW_FLOW_THROUGH_FIRST = 4, /* every member sends `bytes` to rank 0, then rank 0 to every member */
  CW_FLOW_CHAIN = 5,         /* member i sends `bytes` to member i + 1 */
};

/* Kinds of chunks. A new kind takes the next number; older readers skip its chunks. */
enum cw_profile_chunk_kind {
  CW_CHUNK_EMPTY = 0,
  CW_CHUNK_RANK = 1,
  CW_CHUNK_ROWS = 2,
  CW_CHUNK_GROUP = 3,
  CW_CHUNK_THREADS = 4,
  CW_CHUNK_REFUSED = 5, /* a process with the rank of another process (a second program): not recorded */
  CW_CHUNK_THREAD_TIMES = 6,
  CW_CHUNK_WINDOWS = 7, /* this and the following kinds: from version 2 on */
  CW_CHUNK_COMMS = 8,
  CW_CHUNK_EVENTS = 9,
  CW_CHUNK_GROUPS = 11,
  CW_CHUNK_CONNECTIONS = 12,
  CW_CHUNK_DEVICES = 13,
  CW_N_CHUNK_KINDS = 14
};

/* How a rank was connected with processes outside its MPI_COMM_WORLD. */
enum cw_profile_connection_kind {
  CW_CONNECTION_SPAWNS = 0,   /* MPI_Comm_spawn or MPI_Comm_spawn_multiple */
  CW_CONNECTION_SPAWNED = 1,  /* spawned by these processes: MPI_Comm_get_parent */
  CW_CONNECTION_ACCEPTS = 2,  /* MPI_Comm_accept */
  CW_CONNECTION_CONNECTS = 3, /* MPI_Comm_connect */
  CW_N_CONNECTION_KINDS = 4
};

/* Meaning of a row. A row with CALL has calls and their time. Other rows have messages of calls that another
 * row counts, for example to one peer of an MPI_Alltoallv, or of a start of a persistent send. */
enum cw_profile_row_flag {
  CW_ROW_CALL = 1,
  CW_ROW_TO_PEER = 2,    /* `bytes` from the rank to `peer` */
  CW_ROW_FROM_PEER = 4,  /* `bytes` from `peer` to the rank (one-sided get) */
  CW_ROW_COLLECTIVE = 8, /* `bytes` by the call's cw_profile_flow in the group `group` with root `peer` */
  CW_ROW_WAIT = 16,      /* `count` messages from or to `peer` were waited for during `ticks`; the rows of the
                            waiting calls contain the same time */
};

/* Modes of tracing. */
enum cw_profile_mode {
  CW_MODE_TIME = 0,   /* calls, bytes and time; all of version 1 */
  CW_MODE_COUNT = 1,  /* calls and bytes, no time */
  CW_MODE_EVENTS = 2, /* calls, bytes, time, and each event */
};

/* The MPI library that the rank was linked with. */
enum cw_profile_mpi_library {
  CW_MPI_LIBRARY_UNKNOWN = 0, /* from an older tracer */
  CW_MPI_LIBRARY_OPENMPI = 1,
  CW_MPI_LIBRARY_MPICH = 2, /* and libraries derived from MPICH */
};

/* Meaning of an event; see FORMATS.md, "Events". */
enum cw_profile_event_flag {
  CW_EVENT_SENDS = 1,      /* one message to `peer` */
  CW_EVENT_RECEIVES = 2,   /* one message from `peer`: the actual source if it blocks, else the argument */
  CW_EVENT_COLLECTIVE = 4, /* `bytes` as in a row with CW_ROW_COLLECTIVE, root `peer` */
  CW_EVENT_STARTS = 8,     /* starts a request, which another event completes */
  CW_EVENT_COMPLETES = 16, /* a list of completed requests follows, which can be empty */
  CW_EVENT_PART = 32,      /* a further message of the previous event, without times */
  CW_EVENT_FAILED = 64,    /* the call returned an error */
};

/* Flags of a completed request in an event with CW_EVENT_COMPLETES. */
enum cw_profile_completion_flag {
  CW_COMPLETION_STATUS = 1,    /* the actual source, tag and bytes follow, which differ from the request's */
  CW_COMPLETION_CANCELLED = 2, /* no message was sent or received */
};

/* Faults of the tracer, counted for each rank. */
enum cw_profile_fault {
  CW_FAULT_NO_SPACE = 0,     /* calls not counted: no room in the file (disk full, quota, file size limit) */
  CW_FAULT_NO_MEMORY = 1,    /* calls not counted: out of memory */
  CW_FAULT_FOREIGN_PEER = 2, /* messages to unknown processes outside MPI_COMM_WORLD: only time counted */
  CW_FAULT_REQUEST = 3,      /* starts of persistent requests whose creation the tracer had not seen */
  CW_FAULT_UNRESOLVED = 4,   /* communicators or windows that could not be resolved */
  CW_N_FAULTS = 8
};

struct cw_profile_header {
  char magic[8];
  uint32_t version;
  uint32_t endian;
  uint32_t n_ranks; /* of the MPI_COMM_WORLD of the processes that write this file */
  uint32_t n_calls;
  uint64_t calls_offset;  /* of n_calls struct cw_profile_call */
  uint64_t chunks_offset; /* of the first chunk */
  uint64_t next_free;     /* end of the allocated chunks; on a full disk possibly after the file's end */
  int64_t created_unix_ns;
  uint32_t reported; /* 1: a rank has already printed on stderr what could not be recorded */
  uint32_t reserved;
  char job[128]; /* the same in all files of a job; ends with 0 */
  /* The header of an older tracer ends at calls_offset: after node.host, or before `world`. */
  struct cw_node node;
  char world[32]; /* identifies the MPI_COMM_WORLD in all its files; empty: the launcher's */
};

struct cw_profile_call {
  char name[40]; /* "MPI_Send"; ends with 0 */
  uint8_t layer;
  uint8_t flow;
  uint8_t reserved[6];
};

/* The head of every chunk. `kind` and `bytes` have the same meaning in all kinds. */
struct cw_profile_chunk {
  uint32_t kind;
  uint32_t bytes; /* size with this head, a multiple of CW_PROFILE_CHUNK_BYTES; 0: allocated, not filled */
  int32_t rank;   /* in MPI_COMM_WORLD; in mpi://WORLD if the program has no MPI_COMM_WORLD */
  uint32_t thread;
  uint64_t last_ticks; /* rows, first chunk of a thread: end of the thread's last call */
  uint32_t n_items;    /* number of entries; in a chunk of kind GROUP: of ranges */
  uint32_t first_row;  /* rows, from version 2 on: number of rows in the thread's previous chunks */
  uint32_t reserved[8];
};

/* Content of a chunk of kind RANK. */
struct cw_profile_rank {
  uint32_t pid;
  uint32_t finished; /* 1: reached MPI_Finalize, or the end of its last session */
  double ticks_per_s;
  uint64_t begin_ticks; /* end of MPI_Init */
  uint64_t end_ticks;   /* start of MPI_Finalize; 0 before that */
  int64_t begin_unix_ns;
  uint64_t faults[CW_N_FAULTS];
  uint32_t traced;                     /* 1: calls are recorded */
  uint32_t mask_bytes;                 /* valid bytes of `mask`; 0: the mask was not recorded */
  uint8_t mask[CW_PROFILE_MASK_BYTES]; /* affinity of the thread that called MPI_Init, at its end */
  uint64_t cpu_ns;                     /* CPU time of all threads, including ended ones; 0: not recorded */
  uint32_t mode;                       /* cw_profile_mode */
  uint32_t mpi_library;                /* cw_profile_mpi_library */
  uint64_t n_events_dropped; /* not recorded: the user's size limit was reached, or the disk was full */
};

/* Chunks of kind ROWS contain these. The first row with count 0 ends the rows of a chunk. Size class 0 means
 * no bytes, class k means 2^(k-1) <= bytes < 2^k. */
struct cw_profile_row {
  int32_t peer; /* world rank; -2 - i: process i outside MPI_COMM_WORLD that the rank knows
                   (cw_profile_connection); of a collective the root's rank in the group; -1: none */
  uint16_t call;
  uint8_t size_class;
  uint8_t flags;   /* cw_profile_row_flag */
  uint64_t group;  /* id of the communicator, or of its group of members; 0: not recorded */
  uint64_t window; /* always 0: windows have their own chunks */
  uint64_t count;
  uint64_t bytes;
  uint64_t ticks;
};

/* An ordered group: its world ranks in order, as the ranges that follow this struct. The id is a hash of that
 * list; the group's rank 0 writes it. Chunks of kind GROUPS contain n_items of these, each at a multiple of 8
 * bytes. A chunk of kind GROUP, from older tracers, contains one group of n_items ranges. */
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

/* Chunks of kind COMMS contain n_items of these: communicators, each written by its rank 0. All members have
 * the same id; a duplicate has a new id. Rows of a communicator without such an entry have the id of its
 * group. */
struct cw_profile_comm {
  uint64_t id;
  uint64_t group;        /* its members; of an inter-communicator the local group */
  uint64_t remote_group; /* 0: no inter-communicator */
  uint64_t parent;       /* id of the communicator that it was created from; 0: none or unknown */
  char name[32];         /* from MPI_Comm_set_name, at most 31 bytes; empty: none */
};

/* Chunks of kind CONNECTIONS contain n_items of these: an inter-communicator between ranks of this
 * MPI_COMM_WORLD (one side) and processes outside of it (the other side), as recorded by one rank. If the
 * profile contains both sides, a reader can pair them (FORMATS.md, "Spawned processes"). */
struct cw_profile_connection {
  uint64_t id;           /* the same in all ranks of the side; unique among their connections */
  uint64_t spawner;      /* hash of MPI's name of the process that spawned the others; 0: unknown */
  int64_t begin_unix_ns; /* of the call; of spawned processes: of their MPI_Init */
  int64_t end_unix_ns;
  uint32_t kind; /* cw_profile_connection_kind */
  uint32_t n_own;
  uint32_t own_rank; /* of this rank in its side */
  uint32_t n_other;
  uint32_t first;   /* number of the other side's rank 0 among the processes outside; its ranks follow */
  uint32_t is_root; /* 1: root of the call (spawn, accept or connect); of spawned processes: rank 0 */
};

/* Head of a chunk of kind WINDOWS; `used_bytes` of records follow: the counts of a thread's rows in windows
 * of time (FORMATS.md, "Windows"). Only the chunks of a thread's highest level are valid. */
struct cw_profile_windows {
  uint64_t window_ns;    /* length of a window of level 0; window k is [k, k + 1) * window_ns since 1970 */
  uint64_t first_number; /* base of the first record's window number, in windows of this level */
  uint64_t used_bytes;   /* updated after a record is complete */
  uint32_t level;        /* windows of this chunk have the length window_ns << level */
  int32_t open_region;   /* MPI_Pcontrol's level after the last record */
};

/* Head of a chunk of kind EVENTS; `used_bytes` of records follow (FORMATS.md, "Events"). */
struct cw_profile_events {
  uint64_t first_event; /* number of the thread's events before this chunk, including dropped ones */
  uint64_t begin_ticks; /* start of the first event's gap, in ticks >> shift */
  uint64_t used_bytes;  /* updated after a record is complete */
  uint32_t shift;       /* times of this chunk are in ticks >> shift */
  uint32_t reserved;
};

/* Chunks of kind THREADS contain n_items of these: every thread of the process at MPI_Finalize. */
struct cw_profile_thread {
  uint32_t tid;
  uint32_t mask_bytes;
  char name[16];
  uint8_t mask[CW_PROFILE_MASK_BYTES];
};

/* Chunks of kind THREAD_TIMES contain n_items of these, one for each entry of kind THREADS. */
struct cw_profile_thread_time {
  uint32_t tid;
  uint32_t of_mpi; /* 1: a thread of the MPI library, started in MPI_Init */
  uint64_t cpu_ns; /* CPU time since the thread started */
};

/* Chunks of kind DEVICES hold n_items of these: which GPUs and network cards a rank may use, and which GPUs
 * it uses. A rank for which neither is known has no such chunk. Both texts end in 0. */
struct cw_profile_device {
  char name[32];   /* of an environment variable at the end of MPI_Init; empty: of device files */
  char value[960]; /* of the variable, cut to 959 bytes; or the GPUs' device files that were open at
                      MPI_Finalize, below /dev, between blanks: "nvidia0 dri/renderD128" */
};

#endif
