/* An observer of another library: writes the calls of its functions as lines of JSON to OBSERVER_LOG.<process
 * id>. With OBSERVER_BLOCKS it sleeps for 50 ms and calls MPI itself before each MPI_Ssend. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "observer.h"

static FILE* out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void prepare(void) {
  char path[4096];
  int initialised = 0;
  snprintf(path, sizeof path, "%s.%ld", getenv("OBSERVER_LOG"), (long)getpid());
  out = fopen(path, "w");
  MPI_Initialized(&initialised);
  fprintf(out, "{\"what\": \"prepare\", \"initialised\": %d}\n", initialised);
}

static void print_message(const char* name, struct cw_message message) {
  fprintf(out, ", \"%s\": [%d, %d, %llu]", name, message.peer, message.tag,
          (unsigned long long)message.bytes);
}

static void print_operation(const char* name, const struct cw_operation* operation) {
  fprintf(out, "%s{\"number\": %llu, \"flags\": %d", name, (unsigned long long)operation->number,
          operation->flags);
  print_message("sent", operation->sent);
  print_message("asked", operation->received);
}

static void print_call(const char* what, const struct cw_call* call) {
  const struct cw_communicator* comm = call->comm;
  pthread_mutex_lock(&lock);
  fprintf(out, "{\"what\": \"%s\", \"name\": \"%s\", \"flags\": %d, \"failed\": %d", what, call->name,
          call->flags, call->error != 0);
  fprintf(out, ", \"comm\": %llu, \"rank\": %d, \"ticks\": [%llu, %llu]",
          comm == NULL ? 0ull : (unsigned long long)comm->id,
          comm == NULL ? -1 : comm->members[comm->own_rank], (unsigned long long)call->begin,
          (unsigned long long)call->end);
  print_message("sent", call->sent);
  print_message("received", call->received);
  fprintf(out, ", \"n_counts\": %u, \"posted\": [", call->n_counts);
  for (unsigned i = 0; i < call->n_posted; ++i) {
    print_operation(i == 0 ? "" : ", ", &call->posted[i]);
    fputs("}", out);
  }
  fputs("], \"completed\": [", out);
  for (unsigned i = 0; i < call->n_completed; ++i) {
    const struct cw_completion* done = &call->completed[i];
    print_operation(i == 0 ? "" : ", ", done->operation);
    print_message("received", done->received);
    fprintf(out, ", \"ended\": %d, \"failed\": %d}", done->flags, done->error != 0);
  }
  fputs("]}\n", out);
  pthread_mutex_unlock(&lock);
}

static void before(const struct cw_call* call) {
  const struct timespec while_blocked = {.tv_nsec = 50000000};
  int flag = 0;
  print_call("before", call);
  if (getenv("OBSERVER_BLOCKS") == NULL || strcmp(call->name, "MPI_Ssend") != 0) return;
  nanosleep(&while_blocked, NULL);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void after(const struct cw_call* call) { print_call("after", call); }

#ifdef WITHOUT_COUNTS
enum { NEEDS_COUNTS = 0 };
#else
enum { NEEDS_COUNTS = 1 };
#endif

static void finish(void) {
  fputs("{\"what\": \"finish\"}\n", out);
  fclose(out);
}

__attribute__((visibility("default"))) const struct cw_observer cw_observer = {.version = CW_OBSERVER_VERSION,
                                                                               .name = "log",
                                                                               .needs_counts = NEEDS_COUNTS,
                                                                               .prepare = prepare,
                                                                               .before = before,
                                                                               .after = after,
                                                                               .finish = finish};
