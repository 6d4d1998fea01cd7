/* Prints the state of a process: signals, limits, descriptors, environment, working folder. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef OPEN_MPI
#define IS_OPEN_MPI 1
#else
#define IS_OPEN_MPI 0
#endif

extern char** environ;

static void print_descriptors(void) {
  printf("descriptors");
  for (int i = 0; i < 4096; ++i) {
    if (fcntl(i, F_GETFD) >= 0) printf(" %d", i);
  }
  printf("\n");
}

static int lowest_descriptor(void) {
  const int opened = open("/dev/null", O_RDONLY);
  close(opened);
  return opened;
}

static void print_signals(void) {
  sigset_t blocked, pending;
  stack_t stack;
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  sigpending(&pending);
  for (int i = 1; i < NSIG; ++i) {
    struct sigaction found;
    if (sigaction(i, NULL, &found) != 0) continue;
    const char* does = found.sa_handler == SIG_DFL   ? "default"
                       : found.sa_handler == SIG_IGN ? "ignored"
                                                     : "handled";
    const bool usual = found.sa_handler == SIG_DFL && !sigismember(&blocked, i) && !sigismember(&pending, i);
    if (!usual) printf("signal %d %s %d %d\n", i, does, sigismember(&blocked, i), sigismember(&pending, i));
  }
  sigaltstack(NULL, &stack);
  printf("alternate stack %d\n", stack.ss_flags);
}

static void print_limits(void) {
  for (int i = 0; i < RLIMIT_NLIMITS; ++i) {
    struct rlimit limit;
    if (getrlimit(i, &limit) == 0)
      printf("limit %d %ld %ld\n", i, (long)limit.rlim_cur, (long)limit.rlim_max);
  }
}

static int by_name(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }

/* Leaves out the launchers' own variables, whose values differ in each run. */
static void print_environment(void) {
  static const char* const whole[] = {
      "HOME=", "LC_CTYPE=", "LD_", "OMPI_ARGV=", "OMPI_COMMAND=", "PATH=", "PWD=", "TMPDIR=", "COREWISE_"};
  int n = 0;
  while (environ[n] != NULL) ++n;
  char** sorted = malloc((n + 1) * sizeof *sorted);
  memcpy(sorted, environ, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, by_name);
  for (int i = 0; i < n; ++i) {
    int length = (int)strcspn(sorted[i], "=");
    for (unsigned j = 0; j < sizeof whole / sizeof *whole; ++j) {
      if (strncmp(sorted[i], whole[j], strlen(whole[j])) == 0) length = 200;
    }
    printf("variable %.*s\n", length, sorted[i]);
  }
  free(sorted);
}

/* The working folder's files, too: the test starts the program in an empty folder. */
static void print_folder(void) {
  char path[4096];
  struct dirent** found;
  const int n = scandir(".", &found, NULL, alphasort);
  printf("folder %s", getcwd(path, sizeof path));
  for (int i = 0; i < n; ++i) printf(" %s", found[i]->d_name);
  printf("\n");
}

static void print_process(void) {
  char name[17] = "";
  const mode_t mode = umask(0);
  umask(mode);
  prctl(PR_GET_NAME, name);
  printf("umask %o, name %s, program %s, dumpable %d\n", mode, name, program_invocation_name,
         prctl(PR_GET_DUMPABLE));
  printf("no new privileges %d, priority %d, policy %d, slack %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
         getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), prctl(PR_GET_TIMERSLACK));
}

static void print_all(const char* when) {
  printf("%s\n", when);
  print_signals();
  print_limits();
  print_process();
  print_folder();
}

/* A seccomp filter forbids system calls that the library may use and the program doesn't need. */
static void forbid_system_calls(void) {
  static const int forbidden[] = {
      SYS_sched_setaffinity, SYS_sched_getaffinity, SYS_sched_setattr, SYS_perf_event_open, SYS_move_pages,
      SYS_pidfd_open,        SYS_fallocate,         SYS_getdents64,    SYS_rename,          SYS_linkat};
  enum { kN = sizeof forbidden / sizeof *forbidden };
  struct sock_filter filter[kN * 2 + 2] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  for (int i = 0; i < kN; ++i) {
    filter[1 + 2 * i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forbidden[i], 0, 1);
    filter[2 + 2 * i] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  }
  filter[1 + 2 * kN] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {2 + 2 * kN, filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) perror("PR_SET_SECCOMP");
}
