/* Usage: guest KIND. Checks what a program can notice of a preloaded library.
 * Rank 0 prints the results. The output is the same in each run, with and without the library. */
#define _GNU_SOURCE
#include <mpi.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "guest_facts.h"

static int rank;

static void start(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

/* For `ms`: messages, which are recorded, and blocking calls, at which ranks are steered. */
static void communicate(int ms) {
  int n, got;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const double until = MPI_Wtime() + ms / 1e3;
  for (int more = 1; more;) {
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % n, 0, &got, 1, MPI_INT, (rank + n - 1) % n, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    more = MPI_Wtime() < until;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
}

static int finish(void) {
  MPI_Finalize();
  return 0;
}

static int facts(void) {
  print_descriptors();
  print_all("at main");
  start();
  if (rank == 0) print_all("after MPI_Init");
  communicate(300);
  if (rank == 0) print_all("before MPI_Finalize");
  finish();
  if (rank == 0) print_all("after MPI_Finalize");
  return 0;
}

static int environment(void) {
  char command[MPI_MAX_INFO_VAL + 1] = "", arguments[MPI_MAX_INFO_VAL + 1] = "";
  int flag;
  start();
  MPI_Info_get(MPI_INFO_ENV, "command", MPI_MAX_INFO_VAL, command, &flag);
  MPI_Info_get(MPI_INFO_ENV, "argv", MPI_MAX_INFO_VAL, arguments, &flag);
  if (rank == 0) printf("command %s, arguments %s\n", command, arguments);
  if (rank == 0) print_environment();
  return finish();
}

/* An opened file gets the same number as without the library: before and after MPI_Init, and while steering
 * has its log open. */
static int numbers(void) {
  const int before = lowest_descriptor();
  start();
  const int after = lowest_descriptor();
  communicate(500);
  const int later = lowest_descriptor();
  printf("lowest %d %d %d\n", before, after, later);
  return finish();
}

/* The program takes descriptors by their numbers, even if the library used them before. */
static int takes_numbers(void) {
  char path[] = "taken-XXXXXX", text[64] = "";
  struct rlimit limit;
  start();
  communicate(300);
  getrlimit(RLIMIT_NOFILE, &limit);
  const int file = mkstemp(path);
  unlink(path);
  for (int i = 800; i < 1024; ++i) dup2(file, i);
  communicate(300);
  const int result = finish();
  printf("in the file: %zd bytes\n", pread(file, text, sizeof text, 0));
  return result;
}

/* Standard streams. */

static int reads(void) {
  char line[64];
  start();
  while (rank == 0 && fgets(line, sizeof line, stdin) != NULL) printf("read %s", line);
  return finish();
}

static int closes(int descriptor) {
  close(descriptor);
  start();
  communicate(0);
  return finish();
}
static int closes_input(void) { return closes(0); }
static int closes_output(void) { return closes(1); }
static int closes_errors(void) { return closes(2); }

static int closes_all(void) {
  for (int i = 0; i < 3; ++i) close(i);
  return closes_input();
}

/* Makes the library report an error: no file may grow any more, and there is much to record. */
static void leave_no_room(void) {
  static char data[4096], got[4096];
  const struct rlimit none = {0, RLIM_INFINITY};
  setrlimit(RLIMIT_FSIZE, &none);
  for (int i = 0; i < 4096; ++i)
    MPI_Sendrecv(data, i, MPI_CHAR, 0, 0, got, i, MPI_CHAR, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  communicate(300);
}

/* Descriptor 2 becomes a file of the program. */
static int reopens_errors(void) {
  char path[] = "errors-XXXXXX", text[64] = "";
  const int file = mkstemp(path);
  unlink(path);
  start();
  leave_no_room();
  dup2(file, 2);
  const int result = finish();
  printf("in the file: %zd bytes\n", pread(file, text, sizeof text, 0));
  return result;
}

/* Descriptor 2 becomes a pipe without a reader, so a write raises SIGPIPE. */
static int breaks_errors(void) {
  int ends[2];
  start();
  leave_no_room();
  pipe(ends);
  dup2(ends[1], 2);
  close(ends[0]);
  close(ends[1]);
  return finish();
}

/* Processes that the program starts. */

static void print_end(const char* of, pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  if (rank == 0) printf("%s ended %x\n", of, status);
  fflush(stdout);
}

/* The child calls `how`, without exec. */
static int forks(void (*how)(void)) {
  start();
  communicate(100);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) how();
  communicate(100);
  print_end("child", child);
  return finish();
}
static void leaves(void) { _exit(3); }
static void exits(void) { exit(4); }
static void aborts(void) { abort(); }
static int fork_leaves(void) { return forks(leaves); }
static int fork_exits(void) { return forks(exits); }
static int fork_aborts(void) { return forks(aborts); }

/* The child makes calls that would be recorded in a rank, and forks again. */
static void works(void) {
  int flag = 0;
  MPI_Request request;
  MPI_Send_init(&flag, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  MPI_Request_free(&request);
  MPI_Initialized(&flag);
  const pid_t child = fork();
  if (child == 0) _exit(flag);
  int status = -1;
  waitpid(child, &status, 0);
  exit(WEXITSTATUS(status));
}
static int fork_works(void) { return forks(works); }

/* The child calls MPI_Init; the parent only waits. */
static int fork_first(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    start();
    communicate(0);
    exit(finish());
  }
  print_end("child", child);
  return 0;
}

static int other_programs(void) {
  char text[64] = "", *argv[] = {"sh", "-c", "exit 6", NULL};
  pid_t child;
  start();
  if (rank == 0) {
    printf("system %x\n", system("exit 5; echo $LD_PRELOAD"));
    FILE* pipe = popen("env | grep -c -E '^(LD_PRELOAD|COREWISE_)'", "r");
    fgets(text, sizeof text, pipe);
    printf("popen %x %s", pclose(pipe), text);
    posix_spawn(&child, "/bin/sh", NULL, NULL, argv, environ);
    print_end("posix_spawn", child);
    child = vfork();
    if (child == 0) {
      execv("/bin/sh", argv);
      _exit(1);
    }
    print_end("vfork", child);
  }
  return finish();
}

/* Ways to end a process. */

static void say(const char* what) {
  if (rank == 0) printf("%s\n", what);
}
static void first(void) { say("registered first"); }
static void second(void) { say("registered second"); }
static void finalizes(void) {
  int is_done = 0;
  MPI_Finalized(&is_done);
  if (!is_done) MPI_Finalize();
  say("finalized at exit");
}

static int exit_order(void) {
  atexit(first);
  start();
  atexit(second);
  communicate(100);
  return finish();
}

static int finalize_at_exit(void) {
  atexit(finalizes);
  start();
  communicate(100);
  return 0;
}

static int end_by(void (*how)(void)) {
  start();
  communicate(100);
  how();
  return finish();
}
static void ends_without(void) { exit(0); }
static void ends_with(void) { exit(7); }
static void ends_mpi(void) { MPI_Abort(MPI_COMM_WORLD, 9); }
static void ends_by_error(void) { MPI_Send(NULL, 0, MPI_INT, 99, 0, MPI_COMM_WORLD); }
static void on_signal(int number) { exit(number); }
static void ends_in_handler(void) {
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
}
static void segfaults(void) { raise(SIGSEGV); }
static void is_killed(void) { raise(SIGKILL); }
static void on_error(MPI_Comm* comm, int* error, ...) {
  (void)comm, (void)error;
  exit(8);
}
static void ends_in_error_handler(void) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  atexit(finalizes);
  ends_by_error();
}
static int end_error_handler(void) { return end_by(ends_in_error_handler); }
static int end_exit_0(void) { return end_by(ends_without); }
static int end_exit_7(void) { return end_by(ends_with); }
static int end_leave(void) { return end_by(leaves); }
static int end_abort(void) { return end_by(aborts); }
static int end_mpi_abort(void) { return end_by(ends_mpi); }
static int end_error(void) { return end_by(ends_by_error); }
static int end_handler(void) { return end_by(ends_in_handler); }
static int end_segv(void) { return end_by(segfaults); }
static int end_kill(void) { return end_by(is_killed); }

static int end_status(void) {
  start();
  finish();
  return 11;
}

/* Threads and signals. */

static void* asks(void* ended) {
  int flag, version, minor;
  while (!__atomic_load_n((bool*)ended, __ATOMIC_RELAXED)) {
    MPI_Initialized(&flag);
    MPI_Finalized(&flag);
    MPI_Get_version(&version, &minor);
  }
  return NULL;
}

/* These calls are legal at any time, from any thread. Open MPI 4.1 sometimes crashes in MPI_Initialized
 * during MPI_Init or MPI_Finalize, also without corewise. With Open MPI the threads therefore call them only
 * between these two. */
static int threads_ask(void) {
  static bool ended;
  pthread_t threads[4];
  if (IS_OPEN_MPI) start();
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, asks, &ended);
  if (!IS_OPEN_MPI) start();
  communicate(100);
  const int result = IS_OPEN_MPI ? 0 : finish();
  __atomic_store_n(&ended, true, __ATOMIC_RELAXED);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return IS_OPEN_MPI ? finish() : result;
}

static int level(int asked) {
  int got, queried, is_main;
  MPI_Init_thread(NULL, NULL, asked, &got);
  MPI_Query_thread(&queried);
  MPI_Is_thread_main(&is_main);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("level %d %d %d\n", got == asked, queried == got, is_main);
  return finish();
}
static int level_single(void) { return level(MPI_THREAD_SINGLE); }
static int level_multiple(void) { return level(MPI_THREAD_MULTIPLE); }

static volatile sig_atomic_t n_alarms;
static void count_alarm(int number) {
  (void)number;
  ++n_alarms;
}

/* An alarm every millisecond, whose handler interrupts system calls. */
static int alarms(void) {
  const struct sigaction counts = {.sa_handler = count_alarm};
  const struct itimerval each_ms = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  start();
  sigaction(SIGALRM, &counts, NULL);
  setitimer(ITIMER_REAL, &each_ms, NULL);
  communicate(300);
  setitimer(ITIMER_REAL, &never, NULL);
  if (rank == 0) printf("alarms %d\n", n_alarms > 0);
  return finish();
}

/* Environments that the program creates for itself. */

static int sets_umask(void) {
  umask(0777);
  start();
  communicate(100);
  const int result = finish();
  if (rank == 0) printf("umask %o\n", umask(0));
  return result;
}

static int changes_folder(void) {
  chdir("/");
  start();
  communicate(100);
  return finish();
}

static int few_descriptors(void) {
  const struct rlimit limit = {100, 100};
  setrlimit(RLIMIT_NOFILE, &limit);
  start();
  communicate(300);
  printf("lowest %d\n", lowest_descriptor());
  return finish();
}

static int no_descriptors(void) {
  start();
  while (open("/dev/null", O_RDONLY) >= 0) continue;
  communicate(300);
  return finish();
}

static int no_core(void) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  return end_by(aborts);
}

static int forbids(void) {
  start();
  forbid_system_calls();
  communicate(300);
  return finish();
}

static int no_room(void) {
  start();
  leave_no_room();
  return finish();
}

/* Not after MPI_Finalize, which MPI allows: Open MPI 4.1 then reallocates freed memory (valgrind), and MPICH
 * 4.0 crashes, with corewise and without. */
static int tool_interface(void) {
  int level, n_control = -1, n_performance = -1;
  start();
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_T_cvar_get_num(&n_control);
  MPI_T_pvar_get_num(&n_performance);
  printf("%d and %d variables\n", n_control, n_performance);
  communicate(100);
  MPI_T_finalize();
  return finish();
}

#define KIND(name) {#name, name}

static const struct {
  const char* name;
  int (*run)(void);
} kinds[] = {
    KIND(alarms),         KIND(breaks_errors),     KIND(changes_folder),   KIND(closes_all),
    KIND(closes_errors),  KIND(closes_input),      KIND(closes_output),    KIND(end_abort),
    KIND(end_error),      KIND(end_error_handler), KIND(end_exit_0),       KIND(end_exit_7),
    KIND(end_handler),    KIND(end_kill),          KIND(end_leave),        KIND(end_mpi_abort),
    KIND(end_segv),       KIND(end_status),        KIND(environment),      KIND(exit_order),
    KIND(facts),          KIND(few_descriptors),   KIND(finalize_at_exit), KIND(forbids),
    KIND(fork_aborts),    KIND(fork_exits),        KIND(fork_first),       KIND(fork_leaves),
    KIND(fork_works),     KIND(level_multiple),    KIND(level_single),     KIND(no_core),
    KIND(no_descriptors), KIND(no_room),           KIND(numbers),          KIND(other_programs),
    KIND(reads),          KIND(reopens_errors),    KIND(sets_umask),       KIND(takes_numbers),
    KIND(threads_ask),    KIND(tool_interface),
};

int main(int argc, char** argv) {
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0) return kinds[i].run();
  }
  return 99;
}
