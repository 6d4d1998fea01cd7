/// Threads of the search: each task once, faults passed on, the same answer on any number of threads.
#include "solvers/search/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "corewise/random.hpp"
#include "corewise/solver.hpp"
#include "mapping_cases.hpp"
#include "solvers/search/construction/multisection.hpp"
#include "solvers/search/gain_cache.hpp"
#include "solvers/search/hop_cost.hpp"
#include "solvers/search/hop_search.hpp"

namespace corewise::search {
namespace {

using namespace corewise::testing;

Traffic random_traffic(std::int32_t n_ranks) {
  Random random(3);
  std::vector<Message> messages;
  const auto n = static_cast<std::uint32_t>(n_ranks);
  for (std::int32_t i = 0; i < 4 * n_ranks; ++i) {
    messages.push_back({static_cast<std::int32_t>(random.below(n)),
                        static_cast<std::int32_t>(random.below(n)), 1 + random.below(100)});
  }
  return traffic_of(n_ranks, messages);
}

TEST(RunParallel, CallsEachTaskOnceOnAnyNumberOfThreads) {
  for (const int threads : {-1, 1, 3, 50}) {
    std::vector<std::atomic<int>> calls(20);
    run_parallel(calls.size(), threads, [&](std::size_t i) { ++calls[i]; });
    for (const std::atomic<int>& count : calls) EXPECT_EQ(count, 1);
  }
  run_parallel(0, 4, [](std::size_t) { FAIL() << "there is no task"; });
}

TEST(RunParallel, ThrowsWhatTheFirstFaultyTaskThrewAfterAllHaveEnded) {
  std::atomic<int> n_ended{0};
  const auto task = [&](std::size_t i) {
    ++n_ended;
    if (i == 2 || i == 5) throw std::runtime_error(i == 2 ? "two" : "five");
  };
  try {
    run_parallel(8, 4, task);
    FAIL() << "no task's fault came through";
  } catch (const std::runtime_error& fault) {
    EXPECT_STREQ(fault.what(), "two");
  }
  EXPECT_EQ(n_ended, 8);
}

TEST(GainCache, TellsSwapsAndValuesAsHopCostDoes) {
  Random random(5);
  const Machine machine =
      make_tree_machine(std::vector<std::int32_t>{3, 2, 4}, std::vector<std::uint32_t>{1, 10, 100});
  const SlotTree slots(machine, {});
  const Graph graph = byte_graph(random_traffic(20).folded(), slots.n_slots());
  WorkMeter work(std::nullopt);
  std::vector<std::int32_t> in_order(24);
  for (std::int32_t v = 0; v < 24; ++v) in_order[v] = v;
  for (const int sign : {1, -1}) {
    HopCost scanned(graph, Mapping(slots, in_order), sign, work);
    GainCache table(graph, Mapping(slots, in_order), sign, work);
    ASSERT_EQ(table.value(), scanned.value());
    for (int i = 0; i < 1000; ++i) {
      const auto u = static_cast<std::int32_t>(random.below(24)),
                 v = static_cast<std::int32_t>(random.below(24));
      if (u == v) continue;
      const Cost delta = scanned.delta(u, v);
      ASSERT_EQ(table.delta(u, v, delta), delta);
      ASSERT_LE(table.delta(u, v, delta - 1), delta);
      ASSERT_GT(table.delta(u, v, delta - 1), delta - 1);
      if (i % 3 == 0) {
        scanned.swap(u, v, delta);
        table.swap(u, v, delta);
      }
      ASSERT_EQ(table.value(), scanned.value());
    }
  }
}

TEST(Multisection, FindsTheSameOnAnyNumberOfThreadsWhereHalvesArePlacedApart) {
  const Machine machine =
      make_tree_machine(std::vector<std::int32_t>{100, 168}, std::vector<std::uint32_t>{1, 10});
  const SlotTree slots(machine, {});
  const Graph graph = byte_graph(random_traffic(16'500).folded(), slots.n_slots());
  const auto found = [&](int threads) {
    Random random(7);
    WorkMeter work(std::nullopt);
    return multisection(graph, slots, random, work, {1, threads});
  };
  std::vector<std::int32_t> alone = found(1);
  EXPECT_EQ(found(3), alone);
  std::ranges::sort(alone);
  for (std::int32_t slot = 0; slot < 16'800; ++slot) ASSERT_EQ(alone[slot], slot);
}

TEST(HopSearch, FindsTheSameOnAnyNumberOfThreads) {
  const Machine machine = draco(8);
  const SlotTree slots(machine, {});
  const Graph graph = byte_graph(random_traffic(60).folded(), slots.n_slots());
  std::vector<std::int32_t> block(64);
  for (std::int32_t v = 0; v < 64; ++v) block[v] = v;
  for (const bool worst : {false, true}) {
    const auto found = [&](int threads) {
      WorkMeter work(std::nullopt);
      return optimise_hop_bytes({graph, slots, block, worst}, {7, Effort::standard, {}, threads}, work);
    };
    const std::vector<std::int32_t> alone = found(1);
    EXPECT_EQ(found(2), alone);
    EXPECT_EQ(found(5), alone);
  }
}

}  // namespace
}  // namespace corewise::search
