// Tests of tasks, handles, loops and how a run ends, over the loopback.
#include <atomic>
#include <stdexcept>

#include "loopback_nodes.hpp"

namespace {

namespace pgas = corewise::pgas;

class Tasks : public OnLoopback {};
CW_ON_LOOPBACK(Tasks);

TEST_P(Tasks, a_handle_waits_for_all_that_it_started) {
  run([] {
    auto done = pgas::GlobalArray<int>::create(1);
    pgas::Handle handle;
    for (int i = 0; i < 500; ++i) pgas::spawn_at(i % pgas::n_nodes(), handle, [done] { done.add(0, 1); });
    handle.wait();
    EXPECT_EQ(done.get(0), 500);
    EXPECT_TRUE(handle.done());
  });
}

/// Counts the vertices of a binary tree of this depth: one task per vertex, each child on the next node.
void grow(pgas::GlobalArray<long> count, int depth) {
  count.add_nb(0, 1);
  if (depth == 0) return;
  for (int child = 0; child < 2; ++child) {
    pgas::spawn_at((pgas::here() + 1) % pgas::n_nodes(), [count, depth] { grow(count, depth - 1); });
  }
}

TEST_P(Tasks, a_call_returns_only_after_all_tasks_below_it) {
  run([] {
    auto count = pgas::GlobalArray<long>::create(1);
    pgas::call_at(pgas::n_nodes() - 1, [count] { grow(count, 9); });
    EXPECT_EQ(count.get(0), 1023);
  });
}

TEST_P(Tasks, results_come_back_from_every_node) {
  run([] {
    const auto nodes = pgas::call_all([] { return 10 * pgas::here(); });
    ASSERT_EQ(nodes.size(), static_cast<std::size_t>(pgas::n_nodes()));
    for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(nodes[i], static_cast<int>(10 * i));
  });
}

TEST_P(Tasks, yielding_tasks_take_turns) {
  run([] {
    pgas::Handle handle;
    std::atomic<int> started{0};
    for (int i = 0; i < 3; ++i) {
      pgas::spawn(handle, [&started] {
        ++started;
        while (started.load() < 3) pgas::yield();
      });
    }
    handle.wait();
    EXPECT_EQ(started.load(), 3);
  });
}

TEST_P(Tasks, a_loop_runs_every_iteration_once_also_when_bodies_wait) {
  run([] {
    auto visits = pgas::GlobalArray<int>::create(3000);
    pgas::parallel_for(0, 3000, [visits](std::size_t i) { visits.fetch_add((i * 7) % 3000, 1); },
                       {.chunk = 1});
    pgas::parallel_for(0, 3000, [visits](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) visits.add_nb(i, 1);
    });
    for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(visits.get(i), 2) << i;
    pgas::parallel_for(5, 5, [](std::size_t) { throw std::logic_error("an empty loop has no iteration"); });
  });
}

TEST_P(Tasks, a_reduction_sees_every_chunk_once) {
  run([] {
    const auto sum = [](std::size_t first, std::size_t last) {
      std::size_t total = 0;
      for (std::size_t i = first; i < last; ++i) total += i;
      return total;
    };
    EXPECT_EQ(pgas::parallel_reduce(0, 10'001, std::size_t{0}, sum, std::plus<std::size_t>{}), 50'005'000u);
  });
}

TEST_P(Tasks, an_exception_of_any_task_ends_the_run_with_its_text) {
  const auto failing = [] {
    pgas::spawn_at(pgas::n_nodes() - 1, [] { throw std::runtime_error("the third option is negative"); });
    pgas::Handle handle;
    for (int i = 0; i < 100; ++i) pgas::spawn_at(0, handle, [] { pgas::yield(); });
    handle.wait();
    pgas::wait();
  };
  try {
    run(failing);
    FAIL() << "the run ended as if nothing had happened";
  } catch (const pgas::Error& error) {
    EXPECT_STREQ(error.what(), "the third option is negative");
  }
}

}  // namespace
