/* A runtime's threads by role: each binds itself by its role, all are read back, the plan is printed.
 *
 *     cc pthread.c $(pkg-config --cflags --libs corewise-affinity) -pthread */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "make_plan.h"

struct start {
  cw_thread_plan_t* plan;
  size_t thread;
  cw_status_t status;
  pthread_barrier_t *bound, *verified;
};

static void* run(void* argument) {
  struct start* start = argument;
  start->status = cw_thread_plan_apply(start->plan, start->thread);
  pthread_barrier_wait(start->bound);
  pthread_barrier_wait(start->verified); /* here a runtime would work */
  return NULL;
}

/* Starts every thread of the plan and reads all bindings back; 0 where they are as planned. */
static int run_all(cw_thread_plan_t* plan) {
  const size_t n = cw_thread_plan_size(plan);
  pthread_t* threads = malloc((n + 1) * sizeof *threads);
  struct start* starts = malloc((n + 1) * sizeof *starts);
  if (threads == NULL || starts == NULL) abort();
  pthread_barrier_t bound, verified;
  pthread_barrier_init(&bound, NULL, (unsigned)n + 1);
  pthread_barrier_init(&verified, NULL, (unsigned)n + 1);
  for (size_t t = 0; t < n; ++t) {
    starts[t] = (struct start){plan, t, CW_OK, &bound, &verified};
    if (pthread_create(&threads[t], NULL, run, &starts[t]) != 0) abort();
  }
  pthread_barrier_wait(&bound);
  char different[1000];
  const cw_status_t status = cw_thread_plan_verify_all(plan, different, sizeof different);
  pthread_barrier_wait(&verified);
  for (size_t t = 0; t < n; ++t) {
    pthread_join(threads[t], NULL);
    if (starts[t].status != CW_OK) fprintf(stderr, "thread %zu: %s\n", t, cw_status_string(starts[t].status));
  }
  if (status == CW_OK)
    printf("every thread is bound as planned\n");
  else
    fprintf(stderr, "%s:\n%s", cw_status_string(status), different);
  pthread_barrier_destroy(&bound);
  pthread_barrier_destroy(&verified);
  free(starts);
  free(threads);
  return status != CW_OK;
}

int main(void) {
  cw_thread_plan_t* plan = make_plan(NULL, 0);
  if (plan == NULL) return 2;
  char text[10000];
  if (cw_thread_plan_print(plan, CW_FORMAT_TEXT, text, sizeof text, NULL) == CW_OK) fputs(text, stdout);
  const int failed = run_all(plan);
  cw_thread_plan_destroy(plan);
  return failed;
}
