/* Applies thread plans. Prints for each case the kernel's masks of the threads, and where their memory is,
 * although a CPU of the other package touches it first. A case is a line of standard input, "MASK OVERRIDES"
 * (MASK: OS indices for the process). Each case gives a line of JSON. */
#include <corewise/affinity.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N_PAGES = 8, LONGEST_PLAN = 20000 };

struct thread {
  cw_thread_plan_t* plan;
  size_t number;
  pthread_barrier_t *bound, *told;
  pid_t tid;
  cw_status_t applied, verified;
  char* memory; /* N_PAGES pages, touched first by this thread */
};

/* Moves the calling thread to the other end of the machine. Without a memory policy, first touch would put
 * memory there. */
static void run_far_away(const struct thread* thread) {
  hwloc_const_bitmap_t planned = NULL;
  cw_thread_plan_cpuset(thread->plan, thread->number, &planned);
  const int n_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
  cpu_set_t far;
  CPU_ZERO(&far);
  CPU_SET(hwloc_bitmap_first(planned) < n_cpus / 2 ? n_cpus - 1 : 0, &far);
  if (sched_setaffinity(0, sizeof far, &far) != 0) abort();
}

static void touch_memory(struct thread* thread) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  thread->memory = mmap(NULL, N_PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (thread->memory == MAP_FAILED) abort();
  for (size_t i = 0; i < N_PAGES; ++i) thread->memory[i * page] = 1;
}

static void* run(void* argument) {
  struct thread* thread = argument;
  thread->tid = gettid();
  cw_thread_plan_apply(thread->plan, thread->number);
  run_far_away(thread);
  touch_memory(thread);
  thread->applied = cw_thread_plan_apply(thread->plan, thread->number);
  thread->verified = cw_thread_plan_verify(thread->plan, thread->number);
  pthread_barrier_wait(thread->bound);
  pthread_barrier_wait(thread->told);
  return NULL;
}

/* The kernel's list in /proc/self/task/TID/status. */
static void print_allowed(pid_t tid) {
  char path[64], line[256], list[200] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
  FILE* status = fopen(path, "r");
  if (status == NULL) abort();
  while (fgets(line, sizeof line, status) != NULL) sscanf(line, "Cpus_allowed_list: %199s", list);
  fclose(status);
  printf("\"cpus\": \"%s\"", list);
}

/* The NUMA node of each page: move_pages() without target nodes only reports. */
static void print_pages(const struct thread* thread) {
  void* pages[N_PAGES];
  int nodes[N_PAGES];
  for (size_t i = 0; i < N_PAGES; ++i) pages[i] = thread->memory + i * (size_t)sysconf(_SC_PAGESIZE);
  if (syscall(SYS_move_pages, 0, (unsigned long)N_PAGES, pages, NULL, nodes, 0) != 0) abort();
  printf(", \"pages\": [");
  for (size_t i = 0; i < N_PAGES; ++i) printf("%s%d", i == 0 ? "" : ", ", nodes[i]);
  printf("]");
}

static void tell(cw_thread_plan_t* plan, const struct thread* threads, size_t n) {
  char text[LONGEST_PLAN];
  const cw_status_t all = cw_thread_plan_verify_all(plan, NULL, 0);
  if (cw_thread_plan_print(plan, CW_FORMAT_JSON, text, sizeof text, NULL) != CW_OK) abort();
  printf("{\"plan\": %s, \"verify_all\": %d, \"threads\": [", text, all);
  for (size_t t = 0; t < n; ++t) {
    printf("%s{", t == 0 ? "" : ", ");
    print_allowed(threads[t].tid);
    print_pages(&threads[t]);
    printf(", \"apply\": %d, \"verify\": %d}", threads[t].applied, threads[t].verified);
  }
  printf("]}\n");
}

static void run_case(hwloc_topology_t topology, const char* overrides) {
  char message[300] = "";
  cw_thread_plan_options_t options;
  cw_thread_plan_options_init(&options);
  options.topology = topology;
  options.overrides = overrides;
  options.message = message;
  options.message_size = sizeof message;
  cw_thread_plan_t* plan = NULL;
  if (cw_thread_plan_create(&options, &plan) != CW_OK) {
    printf("{\"refused\": \"%s\"}\n", message);
    return;
  }
  const size_t n = cw_thread_plan_size(plan);
  struct thread* threads = calloc(n, sizeof *threads);
  pthread_t* handles = calloc(n, sizeof *handles);
  if (threads == NULL || handles == NULL) abort();
  pthread_barrier_t bound, told;
  pthread_barrier_init(&bound, NULL, (unsigned)n + 1);
  pthread_barrier_init(&told, NULL, (unsigned)n + 1);
  for (size_t t = 0; t < n; ++t) {
    threads[t] = (struct thread){.plan = plan, .number = t, .bound = &bound, .told = &told};
    if (pthread_create(&handles[t], NULL, run, &threads[t]) != 0) abort();
  }
  pthread_barrier_wait(&bound);
  tell(plan, threads, n);
  pthread_barrier_wait(&told);
  for (size_t t = 0; t < n; ++t) {
    pthread_join(handles[t], NULL);
    munmap(threads[t].memory, N_PAGES * (size_t)sysconf(_SC_PAGESIZE));
  }
  pthread_barrier_destroy(&bound);
  pthread_barrier_destroy(&told);
  free(handles);
  free(threads);
  cw_thread_plan_destroy(plan);
}

/* hwloc takes the masks of all listed threads together as that of the process. The kernel lists a thread a
 * little longer than pthread_join() waits for it. */
static void wait_until_threads_are_gone(void) {
  struct stat found; /* a folder has two links, and one for each folder inside */
  while (stat("/proc/self/task", &found) == 0 && found.st_nlink > 3) sched_yield();
}

static void take_mask(const char* list) {
  hwloc_bitmap_t wanted = hwloc_bitmap_alloc();
  cpu_set_t mask;
  if (wanted == NULL || hwloc_bitmap_list_sscanf(wanted, list) != 0) abort();
  CPU_ZERO(&mask);
  for (int pu = hwloc_bitmap_first(wanted); pu >= 0; pu = hwloc_bitmap_next(wanted, pu)) CPU_SET(pu, &mask);
  hwloc_bitmap_free(wanted);
  if (sched_setaffinity(0, sizeof mask, &mask) != 0) abort();
}

int main(void) {
  hwloc_topology_t topology; /* loaded only once: under emulation, loading takes most of the time of a case */
  hwloc_topology_init(&topology);
  hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  if (hwloc_topology_load(topology) != 0) return 1;
  char line[300], mask[100], overrides[200];
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (sscanf(line, "%99s %199s", mask, overrides) != 2) return 2;
    wait_until_threads_are_gone();
    take_mask(mask);
    run_case(topology, overrides);
  }
  hwloc_topology_destroy(topology);
  return 0;
}
