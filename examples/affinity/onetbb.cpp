// A oneTBB program: an observer binds each thread of the arena by the slot that it takes.
//
//     c++ -std=c++17 onetbb.cpp $(pkg-config --cflags --libs corewise-affinity tbb)
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

#include <atomic>
#include <cstdio>
#include <new>

#include "make_plan.h"

namespace {

/// Binds a thread when it enters the arena: slot i is worker i.
class Binder : public tbb::task_scheduler_observer {
 public:
  Binder(tbb::task_arena& arena, cw_thread_plan_t* plan) : tbb::task_scheduler_observer(arena), plan_(plan) {
    observe(true);
  }
  ~Binder() override { observe(false); }
  int n_different() const { return n_different_; }

  void on_scheduler_entry(bool) override {
    const auto thread = static_cast<size_t>(tbb::this_task_arena::current_thread_index());
    cw_thread_plan_apply(plan_, thread);
    n_different_ += cw_thread_plan_verify(plan_, thread) != CW_OK;
  }

 private:
  cw_thread_plan_t* plan_;
  std::atomic<int> n_different_ = 0;
};

double part_of_pi(const tbb::blocked_range<int>& range, double sum, int n_steps) {
  for (int i = range.begin(); i < range.end(); ++i) {
    const double x = (i + 0.5) / n_steps;
    sum += 4 / (1 + x * x) / n_steps;
  }
  return sum;
}

}  // namespace

int main() {
  const cw_role_t worker = {"worker", CW_DUTY_COMPUTE, CW_COUNT_DEFAULT};
  cw_thread_plan_t* plan = make_plan(&worker, 1);
  if (plan == nullptr) return 2;

  int n_different = 0;
  tbb::task_scheduler_handle scheduler{tbb::attach{}};
  {
    tbb::task_arena arena(static_cast<int>(cw_thread_plan_size(plan)));
    const Binder binder(arena, plan);
    const int n_steps = 1000000;
    const double pi = arena.execute([n_steps] {
      return tbb::parallel_reduce(
          tbb::blocked_range<int>(0, n_steps), 0.0,
          [n_steps](const tbb::blocked_range<int>& range, double sum) {
            return part_of_pi(range, sum, n_steps);
          },
          [](double a, double b) { return a + b; });
    });
    n_different = binder.n_different();
    std::printf("pi is about %.6f; %zu threads, %d not bound as planned\n", pi, cw_thread_plan_size(plan),
                n_different);
  }
  tbb::finalize(scheduler,
                std::nothrow);  // waits for the last thread, which gives back the observer's memory
  cw_thread_plan_destroy(plan);
  return n_different != 0;
}
