/* Thread affinity by role: which thread of a process runs on which core. For any runtime; needs only hwloc.
 *
 *     cw_thread_plan_options_t options;
 *     cw_thread_plan_options_init(&options);
 *     options.overrides = cw_affinity_environment();
 *     cw_thread_plan_t* plan = NULL;
 *     if (cw_thread_plan_create(&options, &plan) != CW_OK) ...
 *     in each thread:  cw_thread_plan_apply(plan, thread);
 *     at the end:      cw_thread_plan_destroy(plan);
 *
 * A plan gives each thread a set of PUs of one machine, by the thread's role: worker, helper, comm_server, or
 * a role that the caller defines. A plan never changes, and several threads may use one plan at a time. The
 * same input gives the same plan. The library never prints, never ends the process and keeps no global state.
 *
 * Threads are numbered role by role, in the order of the roles: with 6 workers, 1 helper and 1 comm_server,
 * worker 5 is thread 5, the helper thread 6, the comm_server thread 7. All cpusets contain OS indices.
 *
 * Functions return CW_OK or the reason of a failure. Outputs are the last parameters, set on CW_OK only. */
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

/** Result of a call. */
typedef enum cw_status {
  CW_OK = 0,
  CW_ERR_ARGUMENT = 1,  /**< the caller's input is wrong; options.message explains the error */
  CW_ERR_TOPOLOGY = 2,  /**< hwloc could not read this machine, options.xml_path or options.synthetic */
  CW_ERR_OVERRIDE = 3,  /**< options.overrides has an error; options.message explains it */
  CW_ERR_RANGE = 4,     /**< no such thread, role or policy */
  CW_ERR_FOREIGN = 5,   /**< the plan was made for another machine: it can be printed, but not applied */
  CW_ERR_SYSTEM = 6,    /**< the operating system refused; errno has the reason */
  CW_ERR_DIFFERS = 7,   /**< from verify: a thread's PUs or its memory differ from the plan */
  CW_ERR_NO_MEMORY = 8, /**< allocation failed */
} cw_status_t;

/** A status in words; never NULL. */
CW_AFFINITY_API const char* cw_status_string(cw_status_t status);

/** What the threads of a role do. The policies place threads by their duty. */
typedef enum cw_duty {
  CW_DUTY_COMPUTE = 0, /**< as worker: next to each other */
  CW_DUTY_SERVICE = 1, /**< as helper: next to the workers and the network threads */
  CW_DUTY_NETWORK = 2, /**< as comm_server: on the core nearest the device of options.near */
} cw_duty_t;

/** Lets the plan choose the number of threads of a role: see cw_thread_plan_options_t.roles. */
#define CW_COUNT_DEFAULT (-1)

/** A group of threads that do the same work. */
typedef struct cw_role {
  const char* name; /**< letters, digits and _; unique, and no setting of the overrides (policy, mask, ...) */
  cw_duty_t duty;
  int count; /**< 0 to 65536, or CW_COUNT_DEFAULT */
} cw_role_t;

/** Where a thread's memory comes from. */
typedef enum cw_memory {
  CW_MEMORY_INHERIT = 0, /**< the process's memory policy stays in force */
  CW_MEMORY_LOCAL = 1,   /**< after apply, only from the NUMA domains of the thread's PUs */
} cw_memory_t;

/** Everything that decides a plan. Start with cw_thread_plan_options_init(); later versions append fields. */
typedef struct cw_thread_plan_options {
  size_t size;        /**< sizeof this struct in the caller's version of this header */
  const char* policy; /**< a name or alias of cw_policy_name(); NULL: "topology" */

  /** Array of n_roles roles; NULL: worker, helper and comm_server with default counts. With default counts
   * the process has one thread for each of its PUs, or for each core with policies that count cores. A
   * network role gets 1 thread, a service role an eighth of all threads (at least 1). The compute roles
   * divide the rest (at least 1 each). */
  const cw_role_t* roles;
  size_t n_roles;

  /** The machine: set at most one of these three fields; none: this machine. `topology` is copied. Load it
   * with hwloc_topology_set_io_types_filter(..., HWLOC_TYPE_FILTER_KEEP_IMPORTANT), else hwloc leaves out
   * network cards. */
  hwloc_topology_t topology;
  const char* xml_path;
  const char* synthetic;

  /** PUs that the process may use; NULL: the process's current binding on this machine, or all PUs of another
   * machine. PUs that are offline or excluded by a cgroup are left out. */
  hwloc_const_bitmap_t mask;

  /** Divides the mask among the local_size ranks of a node. Rank local_rank gets a contiguous run of cores in
   * tree order. The parts are disjoint if there are enough cores. local_size 0: the whole mask is for this
   * process. */
  unsigned local_rank;
  unsigned local_size;

  cw_memory_t memory;
  unsigned stride; /**< for policy pin; 0: 1 */

  /** Settings that take precedence over these fields; see cw_affinity_environment(). */
  const char* overrides;

  char* message; /**< buffer for one sentence that says why create failed; may be NULL */
  size_t message_size;

  /** The device that network threads are placed near: "nic" (or NULL) for the network card nearest the mask,
   * "gpu" for the GPU nearest the mask, else a device's name or PCI bus id. If the machine has no such
   * device, create fails; with NULL it uses the first core instead. */
  const char* near;
} cw_thread_plan_options_t;

/** Sets every option to its default. */
static inline void cw_thread_plan_options_init(cw_thread_plan_options_t* options) {
  memset(options, 0, sizeof *options);
  options->size = sizeof *options;
}

/** Value of the environment variable COREWISE_AFFINITY, or NULL. Pass it as options.overrides: no other
 * function of this library reads the environment. For example:
 *
 *  "policy=topology;workers=4;helpers=1;comm_servers=1;mask=0-7,16;part=1/4;memory=local;near=gpu;stride=2"
 *
 * Settings may come in any order, each at most once; blanks are ignored. The name of a role, with or without
 * a final s, sets its number of threads. part=1/4 means local_rank 1 of local_size 4. memory is inherit or
 * local. mask is a list of OS indices. */
CW_AFFINITY_API const char* cw_affinity_environment(void);

/** Name of policy number `policy`, counted from 0 in alphabetical order; NULL after the last policy. */
CW_AFFINITY_API const char* cw_policy_name(size_t policy);

/** What policy number `policy` does, in one sentence; NULL after the last policy. */
CW_AFFINITY_API const char* cw_policy_sentence(size_t policy);

/** A plan: the PUs of every thread. */
typedef struct cw_thread_plan cw_thread_plan_t;

/** Computes a plan; the caller destroys it. If there are more threads than PUs, threads share PUs, network
 * and service threads first. The printed plan has a note about it.
 *  @return CW_OK, CW_ERR_ARGUMENT, CW_ERR_TOPOLOGY, CW_ERR_OVERRIDE, CW_ERR_SYSTEM or CW_ERR_NO_MEMORY. */
CW_AFFINITY_API cw_status_t cw_thread_plan_create(const cw_thread_plan_options_t* options,
                                                  cw_thread_plan_t** plan_p);

/** Frees a plan; does nothing for NULL. Threads keep their bindings. */
CW_AFFINITY_API void cw_thread_plan_destroy(cw_thread_plan_t* plan);

/** Number of threads of all roles together. */
CW_AFFINITY_API size_t cw_thread_plan_size(const cw_thread_plan_t* plan);

/** Number of threads of a role. @return CW_OK or CW_ERR_RANGE (no such role). */
CW_AFFINITY_API cw_status_t cw_thread_plan_count(const cw_thread_plan_t* plan, const char* role,
                                                 size_t* count_p);

/** Name of the policy that made the plan; a constant string. */
CW_AFFINITY_API const char* cw_thread_plan_policy(const cw_thread_plan_t* plan);

/** Thread number of thread `index` (from 0) of a role. @return CW_OK or CW_ERR_RANGE. */
CW_AFFINITY_API cw_status_t cw_thread_plan_find(const cw_thread_plan_t* plan, const char* role, size_t index,
                                                size_t* thread_p);

/** Role of a thread and its index in the role. The plan owns the name. @return CW_OK or CW_ERR_RANGE. */
CW_AFFINITY_API cw_status_t cw_thread_plan_role(const cw_thread_plan_t* plan, size_t thread,
                                                const char** role_p, size_t* index_p);

/** PUs (OS indices) that a thread may run on. The plan owns the set. @return CW_OK or CW_ERR_RANGE. */
CW_AFFINITY_API cw_status_t cw_thread_plan_cpuset(const cw_thread_plan_t* plan, size_t thread,
                                                  hwloc_const_bitmap_t* cpuset_p);

/** NUMA domains (OS indices) that a thread's memory comes from; NULL with CW_MEMORY_INHERIT. The plan owns
 * the set. @return CW_OK or CW_ERR_RANGE. */
CW_AFFINITY_API cw_status_t cw_thread_plan_nodeset(const cw_thread_plan_t* plan, size_t thread,
                                                   hwloc_const_bitmap_t* nodeset_p);

/** Binds the calling thread to its PUs and, with CW_MEMORY_LOCAL, its memory to their NUMA domains. Records
 * the thread for cw_thread_plan_verify_all().
 *  @return CW_OK, CW_ERR_RANGE, CW_ERR_FOREIGN or CW_ERR_SYSTEM. */
CW_AFFINITY_API cw_status_t cw_thread_plan_apply(cw_thread_plan_t* plan, size_t thread);

/** Binds another thread to its PUs; not with CW_MEMORY_LOCAL, since threads bind only their own memory.
 *  @return CW_OK, CW_ERR_RANGE, CW_ERR_FOREIGN, CW_ERR_SYSTEM or CW_ERR_ARGUMENT (CW_MEMORY_LOCAL). */
CW_AFFINITY_API cw_status_t cw_thread_plan_apply_pthread(cw_thread_plan_t* plan, size_t thread,
                                                         pthread_t pthread);

/** As cw_thread_plan_apply_pthread(), by Linux thread id. Recorded for cw_thread_plan_verify_all(). */
CW_AFFINITY_API cw_status_t cw_thread_plan_apply_tid(cw_thread_plan_t* plan, size_t thread, pid_t tid);

/** Compares the PUs of the calling thread, and its memory with CW_MEMORY_LOCAL, with the plan.
 *  @return CW_OK, CW_ERR_DIFFERS, or as apply. */
CW_AFFINITY_API cw_status_t cw_thread_plan_verify(const cw_thread_plan_t* plan, size_t thread);

/** Compares the PUs of another thread of this process with the plan.
 *  @return CW_OK, CW_ERR_DIFFERS, or as apply. */
CW_AFFINITY_API cw_status_t cw_thread_plan_verify_pthread(const cw_thread_plan_t* plan, size_t thread,
                                                          pthread_t pthread);

/** Compares the PUs of all threads with the plan. A thread that has ended, or that neither apply nor
 * apply_tid has bound, differs. Call this function while the threads run: Linux reuses the ids of ended
 * threads.
 *
 *  @param text  buffer of text_size bytes for one line per thread that differs, for example
 *               "helper 0: planned 2, found 0-3"; may be NULL.
 *  @return CW_OK, CW_ERR_DIFFERS, CW_ERR_FOREIGN or CW_ERR_NO_MEMORY. */
CW_AFFINITY_API cw_status_t cw_thread_plan_verify_all(const cw_thread_plan_t* plan, char* text,
                                                      size_t text_size);

/** Output format of cw_thread_plan_print(). Indices of cores, L3, NUMA domains and packages are logical. */
typedef enum cw_format {
  CW_FORMAT_TEXT = 0, /**< aligned text */
  CW_FORMAT_JSON = 1, /**< one JSON object with the same contents */
} cw_format_t;

/** Writes a plan into the caller's buffer as snprintf does: at most size - 1 bytes and a final 0.
 *  @param needed_p  length of the whole text in bytes, without the final 0; may be NULL.
 *  @return CW_OK, CW_ERR_ARGUMENT (no such format) or CW_ERR_NO_MEMORY. */
CW_AFFINITY_API cw_status_t cw_thread_plan_print(const cw_thread_plan_t* plan, cw_format_t format,
                                                 char* buffer, size_t size, size_t* needed_p);

#ifdef __cplusplus
}
#endif

#endif
