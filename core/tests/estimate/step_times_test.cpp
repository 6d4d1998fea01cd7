/// StepTimes: steps found again, and times beside the replay's.
#include "corewise/step_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include "corewise/error.hpp"
#include "corewise/estimate.hpp"
#include "estimate/message_steps.hpp"
#include "mapping_cases.hpp"

namespace corewise {
namespace {

std::vector<Transfer> ring_steps(std::int32_t n, std::int32_t n_steps) {
  std::vector<Transfer> transfers;
  for (std::int32_t step = 0; step < n_steps; ++step) {
    for (std::int32_t i = 0; i < n; ++i) transfers.push_back({step, i, (i + 1) % n, 4000});
  }
  return transfers;
}

TEST(StepTimes, FindsTheStepsOfAScheduleAgain) {
  const auto steps = steps_of(schedule_of_steps(8, ring_steps(8, 7)));
  ASSERT_EQ(steps.size(), 7U);
  for (const auto& step : steps) EXPECT_EQ(step.size(), 8U);
}

TEST(StepTimes, LooksAtEqualStepsOnce) {
  const Machine machine = testing::draco(2);
  const StepTimes times(schedule_of_steps(8, ring_steps(8, 7)), machine);
  EXPECT_EQ(times.n_distinct(), 1U);
  EXPECT_EQ(times.n_steps(), 7U);
}

TEST(StepTimes, AddsTheBusiestLinkAndTheGreatestLatencyOfEachStep) {
  // draco(1): 1 s and 1000 bytes/s in a shared cache, 2 s and 500 in a package. Two messages leave core 0.
  const Machine machine = testing::draco(1);
  StepTimes times(schedule_of_steps(3, {{0, 0, 1, 1000}, {0, 0, 2, 500}}), machine);
  EXPECT_DOUBLE_EQ(times.seconds(testing::placed({0, 1, 2})), 2 + 1500 / 1000.0);
}

TEST(StepTimes, CountWhatLimitsBothDirectionsOfALinkTogether) {
  // 100 bytes/s each way, 125 both ways together: one message takes 10 s, an exchange 2000 / 125.
  MachineDescription description;
  description.name = "hindered";
  LinkFigures network{0, 100, "test"};
  network.loads = {{1, 1, true, 125, {125, 125}}};
  description.figures = {{"package", {0, 1000, "test"}}, {"node", {0, 1000, "test"}}, {"network", network}};
  description.shapes = {testing::two_level_node({2, 2})};
  description.shape_of_node = {0, 0};
  description.network = {{"network", {0}}};
  const Machine machine = make_machine(description);
  const Placement apart = testing::placed({0, 4});
  StepTimes one_way(schedule_of_steps(2, {{0, 0, 1, 1000}}), machine);
  StepTimes exchange(schedule_of_steps(2, {{0, 0, 1, 1000}, {0, 1, 0, 1000}}), machine);
  EXPECT_DOUBLE_EQ(one_way.seconds(apart), 10);
  EXPECT_DOUBLE_EQ(exchange.seconds(apart), 16);
}

std::vector<Transfer> doubling_steps(std::int32_t n) {
  std::vector<Transfer> transfers;
  for (std::int32_t k = 0; 1 << k < n; ++k) {
    for (std::int32_t i = 0; i < n; ++i) transfers.push_back({k, i, i ^ (1 << k), 4000U << k});
  }
  return transfers;
}

std::vector<std::int32_t> block_order(std::int32_t n) {
  std::vector<std::int32_t> cores(static_cast<std::size_t>(n));
  std::iota(cores.begin(), cores.end(), 0);
  return cores;
}

TEST(StepTimes, EqualsTheReplayWhereAllRanksAreInStep) {
  const Machine machine = testing::draco(2);
  const Schedule schedule = schedule_of_steps(16, doubling_steps(16));
  const Placement block = testing::placed(block_order(16));
  EXPECT_NEAR(StepTimes(schedule, machine).seconds(block), estimate(schedule, machine, block).makespan_s,
              1e-6);
}

TEST(StepTimes, OrdersPlacementsAsTheReplayDoes) {
  const Machine machine = testing::draco(2);
  std::mt19937 random(7);
  for (const auto& transfers : {ring_steps(16, 15), doubling_steps(16)}) {
    const Schedule schedule = schedule_of_steps(16, transfers);
    StepTimes times(schedule, machine);
    std::vector<std::pair<double, double>> both;  // of each placement: steps, replay
    std::vector<std::int32_t> cores = block_order(16);
    for (int round = 0; round < 20; ++round) {
      const Placement placement = testing::placed(cores);
      both.emplace_back(times.seconds(placement), estimate(schedule, machine, placement).makespan_s);
      EXPECT_EQ(times.seconds(placement), both.back().first);
      std::ranges::shuffle(cores, random);
    }
    int right = 0;
    int wrong = 0;
    for (const auto& a : both) {
      for (const auto& b : both) {
        if (a.first >= b.first || std::abs(a.second / b.second - 1) < 0.02) continue;
        (a.second < b.second ? right : wrong) += 1;
      }
    }
    EXPECT_GT(right, 9 * wrong) << right << " pairs in the right order, " << wrong << " not";
  }
}

TEST(StepTimes, OfSendsThatMeetIsNoDeadlock) {
  // Both ranks send before they receive, as programs do with small messages.
  Schedule schedule;
  schedule.n_ranks = 2;
  schedule.messages = {{Rank{0}, Rank{1}, 10}, {Rank{1}, Rank{0}, 10}};
  for (std::int32_t rank = 0; rank < 2; ++rank) {
    schedule.processes.push_back({Rank{rank},
                                  true,
                                  {{Action::Kind::send, -1, rank, 0},
                                   {Action::Kind::wait_sent, -1, rank, 0},
                                   {Action::Kind::receive, -1, 1 - rank, 0},
                                   {Action::Kind::wait_received, -1, 1 - rank, 0}}});
  }
  EXPECT_EQ(steps_of(schedule).size(), 2U);
}

TEST(StepTimes, OfAJobThatWaitsWithoutEndIsRefused) {
  Schedule schedule;
  schedule.n_ranks = 1;
  schedule.messages = {{Rank{0}, Rank{0}, 10}};
  schedule.processes = {
      {Rank{0}, true, {{Action::Kind::receive, -1, 0, 0}, {Action::Kind::wait_received, -1, 0, 0}}}};
  EXPECT_THROW((void)steps_of(schedule), Error);
}

}  // namespace
}  // namespace corewise
