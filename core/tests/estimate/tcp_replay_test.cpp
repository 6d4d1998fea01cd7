/// Replays over TCP: connections keep the order of their messages.
#include <gtest/gtest.h>

#include "corewise/estimate.hpp"
#include "mapping_cases.hpp"
#include "steps.hpp"

namespace corewise {
namespace {

using testing::placed;
using testing::schedule_of_steps;

/// Nodes of four cores: 1e9 bytes/s within a node, 100 bytes/s between nodes. Messages above `eager_bytes`
/// need a handshake; each of its parts takes as long as 100 bytes, 1 s.
Machine slow_network(std::uint64_t eager_bytes, double latency_s = 0) {
  LinkFigures network{latency_s, 100, "test"};
  network.tcp = true;
  network.eager_bytes = eager_bytes;
  return testing::machine_with(
      {{"package", {0, 1e9, "test"}}, {"node", {0, 1e9, "test"}}, {"network", network}}, 3);
}

Action computing(double seconds) { return {Action::Kind::compute, -1, -1, seconds}; }
Action act(Action::Kind kind, std::int32_t message) { return {kind, -1, message, 0}; }

TEST(TcpReplay, LetsAHandshakeWaitBehindTheMessageOnItsConnection) {
  // Rank 0's message: request (0 to 1 s), answer (1 to 2), data (2 to 12). Rank 1's message: its request
  // waits for that answer on the same connection (2 to 3), its answer for rank 0's data (12 to 13): 13 + 10.
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
  EXPECT_NEAR(estimate(schedule, slow_network(100), apart).makespan_s, 23, 1e-9);
  // Messages up to the eager threshold don't wait: 1000 bytes each way, rank 1's from 1.5 s on.
  EXPECT_NEAR(estimate(schedule, slow_network(1000), apart).makespan_s, 11.5, 1e-9);
}

TEST(TcpReplay, AddsTheLatencyToEachPartOfAMessage) {
  // 500 bytes at 100 bytes/s plus 4 s. A handshake adds two parts of 1 + 4 s.
  const Schedule schedule = schedule_of_steps(2, {{0, 0, 1, 500}});
  EXPECT_NEAR(estimate(schedule, slow_network(1000, 4), placed({0, 4})).makespan_s, 9, 1e-9);
  EXPECT_NEAR(estimate(schedule, slow_network(100, 4), placed({0, 4})).makespan_s, 19, 1e-9);
}

TEST(TcpReplay, EndsASendOnceTheSocketHoldsTheRest) {
  // The handshake ends at 2 s. The socket buffer of 650,000 bytes takes 600,000 bytes at once. Of 780,000
  // bytes it has room for the rest when the second segment of 65,536 bytes leaves, at 2 + 655.36 s. The
  // sender computes longer than the links need.
  using enum Action::Kind;
  const auto sender_ends_s = [](std::uint64_t bytes) {
    Schedule schedule;
    schedule.n_ranks = 2;
    schedule.messages = {{Rank{0}, Rank{1}, bytes}};
    schedule.processes = {{Rank{0}, true, {act(send, 0), act(wait_sent, 0), computing(10000)}},
                          {Rank{1}, true, {act(receive, 0), act(wait_received, 0)}}};
    return estimate(schedule, slow_network(100), placed({0, 4})).makespan_s;
  };
  EXPECT_NEAR(sender_ends_s(600'000), 10002, 1e-9);
  EXPECT_NEAR(sender_ends_s(780'000), 10657.36, 1e-6);
}

}  // namespace
}  // namespace corewise
