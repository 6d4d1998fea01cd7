/* Thread affinity by role: which thread of a process runs on which core. For any runtime; on hwloc, without
 * MPI.
 *
 *     cw_thread_plan_options_t options;
 *     cw_thread_plan_options_init(&options);
 *     options.overrides = cw_affinity_environment();
 *     cw_thread_plan_t* plan = NULL;
 *     if (cw_thread_plan_create(&options, &plan) != CW_OK) ...
 *     in each thread:  cw_thread_plan_apply(plan, thread);
 *     at the end:      cw_thread_plan_destroy(plan);
 *
 * A plan gives each thread of each role (worker, helper, comm_server, or the caller's own) a set of PUs of
 * one machine. It is computed once, never changes, and may be used by several threads at a time. The same
 * input gives the same plan. The library never prints, never ends the process and keeps no global state.
 *
 * Threads are numbered role by role in the order of the roles: with 6 workers, 1 helper and 1 comm_server,
 * worker 5 is thread 5, the helper thread 6, the comm_server thread 7. cpusets are of OS indices.
 *
 * Functions return CW_OK or say why not; outputs come last and are written on CW_OK only. */
#ifndef COREWISE_AFFINITY_H
#define COREWISE_AFFINITY_H

#include <hwloc.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CW_AFFINITY_API __attribute__((visibility("default")))

/** What a call answers; cw_status_string() says it in words. */
typedef enum cw_status {
  CW_OK = 0,
  CW_ERR_ARGUMENT = 1,  /**< the caller's input is wrong: options.message has the sentence */
  CW_ERR_TOPOLOGY = 2,  /**< hwloc could not read the machine, the file or the description */
  CW_ERR_OVERRIDE = 3,  /**< options.overrides has an error: options.message has the sentence */
  CW_ERR_RANGE = 4,     /**< no such thread, role or policy */
  CW_ERR_FOREIGN = 5,   /**< the plan is of another machine than this one and can only be shown */
  CW_ERR_SYSTEM = 6,    /**< the operating system refused; errno says why */
  CW_ERR_DIFFERS = 7,   /**< verify: a thread may run, or takes memory, elsewhere than planned */
  CW_ERR_NO_MEMORY = 8, /**< allocation failed */
} cw_status_t;

/** One sentence for a status; never NULL. */
CW_AFFINITY_API const char* cw_status_string(cw_status_t status);

/** What the threads of a role do, which decides where they belong. */
typedef enum cw_duty {
  CW_DUTY_COMPUTE = 0, /**< worker: next to each other */
  CW_DUTY_SERVICE = 1, /**< helper: next to the workers and the network threads */
  CW_DUTY_NETWORK = 2, /**< comm_server: on the core nearest the network card, or what options.near names */
} cw_duty_t;

/** Count of a role that the plan shall choose: see cw_thread_plan_options_t.roles. */
#define CW_COUNT_DEFAULT (-1)

/** Threads that do the same. */
typedef struct cw_role {
  const char* name; /**< letters, digits and _, unique; not a setting of the overrides (policy, mask, ...) */
  cw_duty_t duty;
  int count; /**< 0 to 65536, or CW_COUNT_DEFAULT */
} cw_role_t;

/** Where a thread's memory comes from. */
typedef enum cw_memory {
  CW_MEMORY_INHERIT = 0, /**< as the process has it */
  CW_MEMORY_LOCAL =
      1, /**< strictly from the NUMA domains of the thread's PUs; from apply on, for that thread */
} cw_memory_t;

/** Everything that decides a plan. Start with cw_thread_plan_options_init(); later versions append fields. */
typedef struct cw_thread_plan_options {
  size_t size;        /**< sizeof this struct, as the caller was compiled */
  const char* policy; /**< a name or alias of cw_policy_name(); NULL: "topology" */

  /** Roles, n_roles of them; NULL: worker, helper, comm_server, all counts by default. By default there are
   * as many threads as the process has PUs (cores for policies that count cores): one for each network role,
   * one for each eight of all (at least one) for each service role, the rest divided among the compute roles
   * (at least one). */
  const cw_role_t* roles;
  size_t n_roles;

  /** The machine: at most one of the three; none: this one. A caller's topology is copied; load it with
   *  hwloc_topology_set_io_types_filter(..., HWLOC_TYPE_FILTER_KEEP_IMPORTANT) or it has no network card. */
  hwloc_topology_t topology;
  const char* xml_path;
  const char* synthetic;

  /** PUs that the process may use; NULL: the process's binding now (this machine), else all. PUs that are
   * offline or taken by a cgroup are left out. */
  hwloc_const_bitmap_t mask;

  /** Ranks of one node that share the mask: rank local_rank of local_size takes its part, a contiguous run of
   *  cores in tree order, disjoint from the others' while cores suffice. local_size 0: the mask is this
   * process's own. */
  unsigned local_rank;
  unsigned local_size;

  cw_memory_t memory;
  unsigned stride; /**< of policy pin; 0: 1 */

  /** Settings that win over the fields above; see cw_affinity_environment(). */
  const char* overrides;

  char* message; /**< filled with one sentence when create fails; may be NULL */
  size_t message_size;

  /** What network threads are near: "nic" (or NULL) the network card nearest the mask, "gpu" the GPU nearest
   *  the mask, else a device's name or PCI bus id. A plan is refused where one is named and not there. */
  const char* near;
} cw_thread_plan_options_t;

/** Everything by default. */
static inline void cw_thread_plan_options_init(cw_thread_plan_options_t* options) {
  memset(options, 0, sizeof *options);
  options->size = sizeof *options;
}

/** Value of COREWISE_AFFINITY, or NULL: the only function here that reads the environment, for
 * options.overrides.
 *
 *  "policy=topology;workers=4;helpers=1;comm_servers=1;mask=0-7,16;part=1/4;memory=local;near=gpu;stride=2":
 * settings in any order, each at most once, blanks ignored. A role's count is set by its name, with or
 * without a final s. part=1/4 is local_rank 1 of local_size 4; memory is inherit or local; mask is a list of
 * OS indices. */
CW_AFFINITY_API const char* cw_affinity_environment(void);

/** Name of policy number `policy` (0, 1, ... sorted); NULL past the last. */
CW_AFFINITY_API const char* cw_policy_name(size_t policy);

/** What it does, in one sentence; NULL past the last. */
CW_AFFINITY_API const char* cw_policy_sentence(size_t policy);

/** Opaque: where each thread goes. */
typedef struct cw_thread_plan cw_thread_plan_t;

/** Computes a plan; the caller destroys it. Where there are more threads than PUs, threads share, network and
 * service threads first, and the printed plan says so.
 *  @return CW_OK, CW_ERR_ARGUMENT, CW_ERR_TOPOLOGY, CW_ERR_OVERRIDE, CW_ERR_SYSTEM or CW_ERR_NO_MEMORY. */
CW_AFFINITY_API cw_status_t cw_thread_plan_create(const cw_thread_plan_options_t* options,
                                                  cw_thread_plan_t** plan_p);

/** Frees a plan; NULL is fine. Threads keep their bindings. */
CW_AFFINITY_API void cw_thread_plan_destroy(cw_thread_plan_t* plan);

/** Threads of all roles together. */
CW_AFFINITY_API size_t cw_thread_plan_size(const cw_thread_plan_t* plan);

/** Threads of a role. @return CW_OK or CW_ERR_RANGE (no such role). */
CW_AFFINITY_API cw_status_t cw_thread_plan_count(const cw_thread_plan_t* plan, const char* role,
                                                 size_t* count_p);

/** Name of the policy that made the plan, that of the overrides where they name one; lives as long as the
 *  library. */
CW_AFFINITY_API const char* cw_thread_plan_policy(const cw_thread_plan_t* plan);

/** Number of thread `index` (from 0) of a role. @return CW_OK or CW_ERR_RANGE. */
CW_AFFINITY_API cw_status_t cw_thread_plan_find(const cw_thread_plan_t* plan, const char* role, size_t index,
                                                size_t* thread_p);

/** Role and index of a thread; the name lives as long as the plan. @return CW_OK or CW_ERR_RANGE. */
CW_AFFINITY_API cw_status_t cw_thread_plan_role(const cw_thread_plan_t* plan, size_t thread,
                                                const char** role_p, size_t* index_p);

/** PUs (OS indices) that a thread may run on; lives as long as the plan. @return CW_OK or CW_ERR_RANGE. */
CW_AFFINITY_API cw_status_t cw_thread_plan_cpuset(const cw_thread_plan_t* plan, size_t thread,
                                                  hwloc_const_bitmap_t* cpuset_p);

/** NUMA domains (OS indices) that a thread's memory comes from; NULL if it is inherited.
 *  @return CW_OK or CW_ERR_RANGE. */
CW_AFFINITY_API cw_status_t cw_thread_plan_nodeset(const cw_thread_plan_t* plan, size_t thread,
                                                   hwloc_const_bitmap_t* nodeset_p);

/** Binds the calling thread, its memory too where planned, and remembers it for cw_thread_plan_verify_all().
 *  @return CW_OK, CW_ERR_RANGE, CW_ERR_FOREIGN or CW_ERR_SYSTEM. */
CW_AFFINITY_API cw_status_t cw_thread_plan_apply(cw_thread_plan_t* plan, size_t thread);

/** Binds another thread of this process to its PUs; memory is a thread's own matter and must be inherited.
 *  @return CW_OK, CW_ERR_RANGE, CW_ERR_FOREIGN, CW_ERR_SYSTEM, or CW_ERR_ARGUMENT (the plan has
 * memory=local). */
CW_AFFINITY_API cw_status_t cw_thread_plan_apply_pthread(cw_thread_plan_t* plan, size_t thread,
                                                         pthread_t pthread);

/** As cw_thread_plan_apply_pthread(), by Linux thread id; remembered for cw_thread_plan_verify_all(). */
CW_AFFINITY_API cw_status_t cw_thread_plan_apply_tid(cw_thread_plan_t* plan, size_t thread, pid_t tid);

/** Reads back where the calling thread may run and take memory.
 *  @return CW_OK, CW_ERR_DIFFERS, or as apply. */
CW_AFFINITY_API cw_status_t cw_thread_plan_verify(const cw_thread_plan_t* plan, size_t thread);

/** Reads back where another thread of this process may run. @return CW_OK, CW_ERR_DIFFERS, or as apply. */
CW_AFFINITY_API cw_status_t cw_thread_plan_verify_pthread(const cw_thread_plan_t* plan, size_t thread,
                                                          pthread_t pthread);

/** Reads back where every thread bound by apply or apply_tid may run; ended ones count as different. Call it
 * while they run, since the system gives the id of an ended thread to a new one.
 *
 *  @param text  filled with a line for each thread that differs, or was never bound, as far as text_size
 * reaches: "helper 0: planned 2, found 0-3"; may be NULL.
 *  @return CW_OK, CW_ERR_DIFFERS or CW_ERR_FOREIGN. */
CW_AFFINITY_API cw_status_t cw_thread_plan_verify_all(const cw_thread_plan_t* plan, char* text,
                                                      size_t text_size);

/** How a plan is shown. */
typedef enum cw_format {
  CW_FORMAT_TEXT = 0, /**< aligned text; indices of cores, L3, NUMA domains and packages are logical */
  CW_FORMAT_JSON = 1, /**< one JSON object, the same facts */
} cw_format_t;

/** Writes a plan into the caller's buffer, as snprintf does: cut off at size - 1 bytes and ended with 0.
 *  @param needed_p  bytes of the whole text without the final 0; may be NULL.
 *  @return CW_OK, CW_ERR_ARGUMENT (no such format) or CW_ERR_NO_MEMORY. */
CW_AFFINITY_API cw_status_t cw_thread_plan_print(const cw_thread_plan_t* plan, cw_format_t format,
                                                 char* buffer, size_t size, size_t* needed_p);

#ifdef __cplusplus
}
#endif

#endif
