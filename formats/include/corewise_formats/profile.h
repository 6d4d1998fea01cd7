/* The profile of one node: the file that all ranks of a node write together while the job runs.
 *
 * A file is a header, the table of calls (both there before the file gets its name), and chunks of
 * CW_PROFILE_CHUNK_BYTES or a multiple, which say their size themselves. Ranks take chunks by adding to
 * header.next_free; a chunk of kind 0 was taken but never filled (its rank was killed, or the disk was full).
 * A reader skips it, and every kind that it does not know, by its size. Each row has one writing thread, so a
 * reader may look at any moment. FORMATS.md says the same in prose. Integers are in the writer's byte order,
 * which `endian` tells. */
#ifndef COREWISE_FORMATS_PROFILE_H
#define COREWISE_FORMATS_PROFILE_H

#include <stdint.h>

#define CW_PROFILE_SUFFIX ".cwprof"
#define CW_PROFILE_MAGIC "CWPROF\r\n"
#define CW_PROFILE_VERSION 1u
#define CW_PROFILE_ENDIAN 0x01020304u
#define CW_PROFILE_CHUNK_BYTES 4096u
/* Affinity masks of up to 4096 hardware threads: bit i % 8 of byte i / 8 is os_index i. */
#define CW_PROFILE_MASK_BYTES 512u
#define CW_PROFILE_MAX_RANKS (1u << 22)

/* Layers of traffic. */
enum cw_profile_layer { CW_LAYER_P2P = 0, CW_LAYER_COLL = 1, CW_LAYER_RMA = 2 };

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
  CW_N_CHUNK_KINDS = 7
};

/* What a row counts. A row with CALL holds calls and their time; the others hold transfers of calls that
 * another row counts (to one peer of an all-to-all-v, of one start of a persistent send). */
enum cw_profile_row_flag {
  CW_ROW_CALL = 1,
  CW_ROW_TO_PEER = 2,   /* `bytes` went from the rank to `peer` */
  CW_ROW_FROM_PEER = 4, /* `bytes` came from `peer` (one-sided get) */
  CW_ROW_COLLECTIVE =
      8, /* `bytes` flow as the call's cw_profile_flow says, in the group `group`, root `peer` */
};

/* What the tracer could not do, counted for each rank. */
enum cw_profile_fault {
  CW_FAULT_NO_SPACE = 0,     /* calls not counted: no room in the file (disk full, quota, file size limit) */
  CW_FAULT_NO_MEMORY = 1,    /* calls not counted: out of memory */
  CW_FAULT_FOREIGN_PEER = 2, /* messages to a process outside MPI_COMM_WORLD: time counted, bytes not */
  CW_FAULT_REQUEST = 3,      /* persistent requests started that were not seen when they were made */
  CW_FAULT_UNRESOLVED = 4,   /* communicators or windows that could not be resolved */
  CW_N_FAULTS = 8
};

struct cw_profile_header {
  char magic[8];
  uint32_t version;
  uint32_t endian;
  uint32_t n_ranks; /* of MPI_COMM_WORLD */
  uint32_t n_calls;
  uint64_t calls_offset;  /* of n_calls struct cw_profile_call */
  uint64_t chunks_offset; /* of the first chunk */
  uint64_t
      next_free; /* end of the chunks handed out so far; may lie past the end of the file on a full disk */
  int64_t created_unix_ns;
  uint32_t reported; /* 1: a rank has reported on stderr what was not recorded */
  uint32_t reserved;
  char job[128]; /* the same in all files of a job; ends in 0 */
  char host[256];
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
  int32_t rank;   /* in MPI_COMM_WORLD */
  uint32_t thread;
  uint64_t last_ticks; /* rows, first chunk of a thread: end of the thread's last call */
  uint32_t n_items; /* groups: ranges; threads: entries; rows: unused, the first row with count 0 ends them */
  uint32_t reserved[9];
};

/* Follows a chunk of kind RANK. */
struct cw_profile_rank {
  uint32_t pid;
  uint32_t finished; /* 1: reached MPI_Finalize */
  double ticks_per_s;
  uint64_t begin_ticks; /* end of MPI_Init */
  uint64_t end_ticks;   /* begin of MPI_Finalize; 0 before */
  int64_t begin_unix_ns;
  uint64_t faults[CW_N_FAULTS];
  uint32_t traced;                     /* 1: calls are recorded */
  uint32_t mask_bytes;                 /* valid bytes of `mask`; 0: the mask was not recorded */
  uint8_t mask[CW_PROFILE_MASK_BYTES]; /* affinity of the thread that called MPI_Init, at its end */
  uint64_t cpu_ns; /* CPU time of all threads, ended ones too, from begin to end; 0: not recorded */
};

/* Size class of a message: the bits of its size. Class 0 is empty, class k holds 2^(k-1) <= bytes < 2^k. */
struct cw_profile_row {
  int32_t peer; /* world rank; for collectives the root (rank in the group) or -1; else -1 */
  uint16_t call;
  uint8_t size_class;
  uint8_t flags;   /* cw_profile_row_flag */
  uint64_t group;  /* collectives: id of the group; else 0 */
  uint64_t window; /* time window: 0, for there is one yet */
  uint64_t count;
  uint64_t bytes;
  uint64_t ticks;
};

/* Follows a chunk of kind GROUP, then n_items ranges: the world ranks of an ordered group, in order. The id
 * is a hash of that list, so communicators of the same members share it; the group's rank 0 writes it. */
struct cw_profile_group {
  uint64_t id;
  uint32_t n_members;
  uint32_t reserved;
};

struct cw_profile_range {
  int32_t first;
  int32_t stride;
  uint32_t count;
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
