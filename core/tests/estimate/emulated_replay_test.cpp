/// Replays on emulated nodes: processors that all ranks share, and connections that keep their order.
#include <gtest/gtest.h>

#include "corewise/estimate.hpp"
#include "mapping_cases.hpp"

namespace corewise {
namespace {

using testing::placed;

constexpr double kSlices = 0.01;  // ranks take turns on a processor: that late they may be

/// Nodes of four cores, 1e9 bytes/s within, 100 bytes/s between them; longer messages than `eager_bytes`
/// need a handshake, whose words take as long as 100 bytes.
Machine slow_network(double latency_s, std::uint64_t eager_bytes) {
  MachineDescription description;
  description.name = "slow";
  LinkFigures network{latency_s, 100, "test"};
  network.eager_bytes = eager_bytes;
  description.shapes = {testing::two_level_node({2, 2})};
  description.shape_of_node.assign(3, 0);
  description.network = {{"network", {0}}};
  description.figures = {{"package", {0, 1e9, "test"}}, {"node", {0, 1e9, "test"}}, {"network", network}};
  return make_machine(description);
}

Action computing(double seconds) { return {Action::Kind::compute, -1, -1, seconds}; }
Action act(Action::Kind kind, std::int32_t message) { return {kind, -1, message, 0}; }

TEST(EmulatedReplay, LetsRanksShareTheProcessorsOfAHost) {
  // Two processors: each of three ranks gets 2/3 of one, until those with 2 s are done at 3 s; then 2 of the
  // third's 4 s are left.
  Schedule schedule;
  schedule.n_ranks = 3;
  for (const double compute_s : {2.0, 4.0, 2.0}) {
    const Rank rank{static_cast<std::int32_t>(schedule.processes.size())};
    schedule.processes.push_back({rank, true, {computing(compute_s)}});
  }
  const Machine machine = slow_network(0, 1000);
  EXPECT_NEAR(estimate(schedule, machine, placed({0, 1, 4}), {2, 0}).makespan_s, 5, kSlices);
  EXPECT_NEAR(estimate(schedule, machine, placed({0, 1, 4}), {3, 0}).makespan_s, 4, kSlices);
}

TEST(EmulatedReplay, TakesLatenciesFromTheProcessors) {
  // 4 s between nodes, half of it the sender's, half the receiver's.
  Schedule schedule = schedule_of_steps(3, {{0, 0, 1, 100}});
  const Machine machine = slow_network(4, 1000);
  EXPECT_NEAR(estimate(schedule, machine, placed({0, 4, 8}), {1, 0}).makespan_s, 2 + 1 + 2, kSlices);
  // A third rank that computes 4 s: sender and it have 2 each at 4 s, it has 3 when the message is there, and
  // 4 at 7 s, when the receiver has had 1 of its 2.
  schedule.processes[2].actions = {computing(4)};
  EXPECT_NEAR(estimate(schedule, machine, placed({0, 4, 8}), {1, 0}).makespan_s, 8, kSlices);
}

TEST(EmulatedReplay, LetsAHandshakeWaitBehindTheMessageOnItsConnection) {
  // Rank 0's message is announced (0 to 1 s), cleared (1 to 2) and sent (2 to 12). Rank 1's own is announced
  // behind that clearance (2 to 3), and cleared behind rank 0's message (12 to 13): 13 + 10.
  using enum Action::Kind;
  Schedule schedule;
  schedule.n_ranks = 2;
  schedule.messages = {{Rank{0}, Rank{1}, 1000}, {Rank{1}, Rank{0}, 1000}};
  schedule.processes = {
      {Rank{0}, true, {act(receive, 1), act(send, 0), act(wait_sent, 0), act(wait_received, 1)}},
      {Rank{1},
       true,
       {act(receive, 0), computing(1.5), act(send, 1), act(wait_received, 0), act(wait_sent, 1)}}};
  const Placement apart = placed({0, 4});
  EXPECT_NEAR(estimate(schedule, slow_network(0, 100), apart, {2, 0}).makespan_s, 23, kSlices);
  // Nothing waits where both are short: 1000 bytes each way, rank 1's from 1.5 s on.
  EXPECT_NEAR(estimate(schedule, slow_network(0, 1000), apart, {2, 0}).makespan_s, 11.5, kSlices);
}

TEST(EmulatedReplay, EndsASendOnceTheSocketHoldsTheRest) {
  // Announced and cleared at 2 s. 600,000 bytes the socket takes at once. Of 780,000 bytes it holds 650,000
  // when the second segment of 65,536 leaves, at 2 + 655.36 s. The sender computes longer than the links
  // take.
  using enum Action::Kind;
  const auto sender_ends_s = [](std::uint64_t bytes) {
    Schedule schedule;
    schedule.n_ranks = 2;
    schedule.messages = {{Rank{0}, Rank{1}, bytes}};
    schedule.processes = {{Rank{0}, true, {act(send, 0), act(wait_sent, 0), computing(10000)}},
                          {Rank{1}, true, {act(receive, 0), act(wait_received, 0)}}};
    return estimate(schedule, slow_network(0, 100), placed({0, 4}), {2, 0}).makespan_s;
  };
  EXPECT_NEAR(sender_ends_s(600'000), 10002, kSlices);
  EXPECT_NEAR(sender_ends_s(780'000), 10657.36, kSlices);
}

TEST(EmulatedReplay, LetsABucketOfBytesPassAtOnce) {
  // Three messages of 400 bytes: 500 bytes pass at once, 700 at 100 bytes/s.
  using enum Action::Kind;
  Schedule schedule;
  schedule.n_ranks = 2;
  schedule.processes = {{Rank{0}, true, {}}, {Rank{1}, true, {}}};
  for (std::int32_t message = 0; message < 3; ++message) {
    schedule.messages.push_back({Rank{0}, Rank{1}, 400});
    schedule.processes[0].actions.push_back(act(send, message));
    schedule.processes[1].actions.push_back(act(receive, message));
    schedule.processes[1].actions.push_back(act(wait_received, message));
  }
  const Machine machine = slow_network(0, 1000);
  EXPECT_DOUBLE_EQ(estimate(schedule, machine, placed({0, 4}), {2, 500}).makespan_s, 7);
  EXPECT_DOUBLE_EQ(estimate(schedule, machine, placed({0, 4}), {2, 0}).makespan_s, 12);
}

}  // namespace
}  // namespace corewise
