/* An OpenMP program whose threads are all workers, a core each; they bind themselves at the start.
 *
 *     cc -fopenmp openmp.c $(pkg-config --cflags --libs corewise-affinity) */
#include <omp.h>
#include <stdio.h>

#include "make_plan.h"

int main(void) {
  const cw_role_t worker = {"worker", CW_DUTY_COMPUTE, CW_COUNT_DEFAULT};
  cw_thread_plan_t* plan = make_plan(&worker, 1);
  if (plan == NULL) return 2;

  int n_different = 0;
  omp_set_dynamic(0);
  omp_set_num_threads((int)cw_thread_plan_size(plan));
#pragma omp parallel reduction(+ : n_different)
  {
    const size_t thread = (size_t)omp_get_thread_num();
    cw_thread_plan_apply(plan, thread);
    n_different += cw_thread_plan_verify(plan, thread) != CW_OK;
  }

  /* The same threads come back for later regions, and stay where they are. */
  const int n_steps = 1000000;
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n_steps; ++i) {
    const double x = (i + 0.5) / n_steps;
    sum += 4 / (1 + x * x);
  }
  printf("pi is about %.6f; %zu threads, %d not bound as planned\n", sum / n_steps, cw_thread_plan_size(plan),
         n_different);
  cw_thread_plan_destroy(plan);
  return n_different != 0;
}
