/// Applies plans to threads of this machine and verifies their bindings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "fixtures.hpp"

namespace {

Plan plan_here(const char* overrides) {
  Request request;
  request.options.overrides = overrides;
  return request.plan();
}

class Waiting {
 public:
  Waiting() : thread_([this] { run(); }) {
    while (tid_ == 0) std::this_thread::yield();
  }
  ~Waiting() {
    over_ = true;
    over_.notify_one();
    thread_.join();
  }
  pid_t tid() const { return tid_; }
  pthread_t pthread() { return thread_.native_handle(); }

 private:
  void run() {
    tid_ = gettid();
    over_.wait(false);
  }
  std::atomic<pid_t> tid_ = 0;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

void in_a_thread(const std::function<void()>& work) { std::thread(work).join(); }

TEST(Apply, EveryPolicyBindsTheCallingThreadAsPlanned) {
  for (const std::string& policy : policies()) {
    const Plan plan = plan_here(("policy=" + policy + ";workers=1;helpers=1").c_str());
    in_a_thread([&] {
      for (size_t thread = 0; thread < cw_thread_plan_size(plan.get()); ++thread) {
        const cw_status_t status = cw_thread_plan_apply(plan.get(), thread);
        // pin may plan CPUs that this process is not allowed to use.
        if (status == CW_ERR_SYSTEM && policy == "pin") continue;
        ASSERT_EQ(status, CW_OK) << policy;
        EXPECT_EQ(cw_thread_plan_verify(plan.get(), thread), CW_OK) << policy;
        cpu_set_t seen;
        ASSERT_EQ(sched_getaffinity(0, sizeof seen, &seen), 0);
        hwloc_const_bitmap_t planned = nullptr;
        cw_thread_plan_cpuset(plan.get(), thread, &planned);
        EXPECT_EQ(CPU_COUNT(&seen), hwloc_bitmap_weight(planned));
        EXPECT_TRUE(CPU_ISSET(hwloc_bitmap_first(planned), &seen));
      }
    });
  }
}

TEST(Apply, BindsAnotherThreadByItsHandleAndByItsId) {
  const Plan plan = plan_here("workers=1;helpers=0");
  Waiting first, second;
  EXPECT_EQ(cw_thread_plan_apply_pthread(plan.get(), 0, first.pthread()), CW_OK);
  EXPECT_EQ(cw_thread_plan_verify_pthread(plan.get(), 0, first.pthread()), CW_OK);
  EXPECT_EQ(cw_thread_plan_apply_tid(plan.get(), 1, second.tid()), CW_OK);
  EXPECT_EQ(cw_thread_plan_verify_pthread(plan.get(), 1, second.pthread()), CW_OK);
}

TEST(Verify, SaysWhichThreadsDiffer) {
  const Plan plan = plan_here("workers=1;helpers=1");
  hwloc_const_bitmap_t planned = nullptr;
  cw_thread_plan_cpuset(plan.get(), 0, &planned);
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (hwloc_bitmap_weight(planned) == CPU_COUNT(&all)) GTEST_SKIP() << "one core: nothing can differ";
  Waiting worker, comm_server;
  ASSERT_EQ(cw_thread_plan_apply_tid(plan.get(), 0, worker.tid()), CW_OK);
  ASSERT_EQ(cw_thread_plan_apply_tid(plan.get(), 2, comm_server.tid()), CW_OK);
  ASSERT_EQ(sched_setaffinity(worker.tid(), sizeof all, &all), 0);  // as another program could
  char text[400];
  EXPECT_EQ(cw_thread_plan_verify_all(plan.get(), text, sizeof text), CW_ERR_DIFFERS);
  const std::string expected = "worker 0: planned " + cpuset_of(plan, 0) + ", found ";
  EXPECT_THAT(text, testing::StartsWith(expected));
  EXPECT_THAT(text, testing::HasSubstr("helper 0: planned " + cpuset_of(plan, 1) + ", never bound\n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("comm_server")));
}

TEST(Verify, PassesWhenEveryThreadIsAsPlanned) {
  const Plan plan = plan_here("workers=1;helpers=0");
  Waiting worker, comm_server;
  ASSERT_EQ(cw_thread_plan_apply_tid(plan.get(), 0, worker.tid()), CW_OK);
  ASSERT_EQ(cw_thread_plan_apply_tid(plan.get(), 1, comm_server.tid()), CW_OK);
  char text[100] = "left over";
  EXPECT_EQ(cw_thread_plan_verify_all(plan.get(), text, sizeof text), CW_OK);
  EXPECT_STREQ(text, "");
}

TEST(Apply, ManyThreadsUseOnePlanAtATime) {
  const Plan plan = plan_here("workers=8;helpers=2");
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < cw_thread_plan_size(plan.get()); ++thread) {
    threads.emplace_back([&plan, thread] {
      EXPECT_EQ(cw_thread_plan_apply(plan.get(), thread), CW_OK);
      EXPECT_EQ(cw_thread_plan_verify(plan.get(), thread), CW_OK);
      cw_thread_plan_verify_all(plan.get(), nullptr, 0);  // others may not be bound yet
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Verify, AnEndedThreadIsReported) {
  const Plan plan = plan_here("workers=1;helpers=0;comm_servers=0");
  std::string task;
  in_a_thread([&] {
    task = "/proc/self/task/" + std::to_string(gettid());
    ASSERT_EQ(cw_thread_plan_apply(plan.get(), 0), CW_OK);
  });
  while (access(task.c_str(), F_OK) == 0) std::this_thread::yield();  // join() may return first
  char text[100];
  EXPECT_EQ(cw_thread_plan_verify_all(plan.get(), text, sizeof text), CW_ERR_DIFFERS);
  EXPECT_THAT(text, testing::HasSubstr(", ended\n"));
}

TEST(Memory, LocalMemoryIsBoundToTheDomainsOfThePus) {
  const Plan plan = plan_here("memory=local;workers=1;helpers=0");
  hwloc_const_bitmap_t nodes = nullptr;
  ASSERT_EQ(cw_thread_plan_nodeset(plan.get(), 0, &nodes), CW_OK);
  EXPECT_FALSE(hwloc_bitmap_iszero(nodes));
  in_a_thread([&] {
    const cw_status_t status = cw_thread_plan_apply(plan.get(), 0);
    if (status == CW_ERR_SYSTEM) GTEST_SKIP() << "this system refuses set_mempolicy";
    ASSERT_EQ(status, CW_OK);
    EXPECT_EQ(cw_thread_plan_verify(plan.get(), 0), CW_OK);
  });
}

TEST(Memory, OfAnotherThreadCannotBeBound) {
  const Plan plan = plan_here("memory=local;workers=1;helpers=0");
  Waiting other;
  EXPECT_EQ(cw_thread_plan_apply_pthread(plan.get(), 0, other.pthread()), CW_ERR_ARGUMENT);
  EXPECT_EQ(cw_thread_plan_apply_tid(plan.get(), 0, other.tid()), CW_ERR_ARGUMENT);
}

TEST(Apply, APlanOfAnotherMachineIsRefused) {
  const Plan plan = plan_on(machine("desktop"), "topology");
  EXPECT_EQ(cw_thread_plan_apply(plan.get(), 0), CW_ERR_FOREIGN);
  EXPECT_EQ(cw_thread_plan_apply_tid(plan.get(), 0, gettid()), CW_ERR_FOREIGN);
  EXPECT_EQ(cw_thread_plan_verify(plan.get(), 0), CW_ERR_FOREIGN);
  EXPECT_EQ(cw_thread_plan_verify_all(plan.get(), nullptr, 0), CW_ERR_FOREIGN);
}

TEST(Apply, AThreadBeyondThePlanIsRefused) {
  const Plan plan = plan_here("workers=1;helpers=0");
  EXPECT_EQ(cw_thread_plan_apply(plan.get(), 2), CW_ERR_RANGE);
  EXPECT_EQ(cw_thread_plan_verify(plan.get(), 2), CW_ERR_RANGE);
  EXPECT_EQ(cw_thread_plan_apply_pthread(plan.get(), 2, pthread_self()), CW_ERR_RANGE);
}

}  // namespace
