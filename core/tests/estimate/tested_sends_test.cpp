/// Replays of sends that a program polls with MPI_Test.
#include <gtest/gtest.h>

#include "corewise/error.hpp"
#include "corewise/estimate.hpp"
#include "mapping_cases.hpp"

namespace corewise {
namespace {

using testing::placed;
using enum Action::Kind;

/// One node of two packages of two cores: 1 s and 1000 bytes/s. Messages up to 100 bytes are eager.
Machine one_node() {
  LinkFigures figures{1, 1000, "test"};
  figures.eager_bytes = 100;
  return testing::machine_with({{"package", figures}, {"node", figures}}, 1);
}

Action act(Action::Kind kind, std::int32_t message) { return {kind, -1, message, 0}; }

/// Rank 0 sends message 0 of 1000 bytes, waits for it by `wait`, then sends message 1 of 10 bytes.
Schedule two_sends(Action::Kind wait, std::vector<Action> of_rank_1) {
  Schedule schedule;
  schedule.n_ranks = 2;
  schedule.messages = {{Rank{0}, Rank{1}, 1000}, {Rank{0}, Rank{1}, 10}};
  schedule.processes = {{Rank{0}, true, {act(send, 0), act(wait, 0), act(send, 1)}},
                        {Rank{1}, true, std::move(of_rank_1)}};
  return schedule;
}

TEST(TestedSends, GoOnIfTheReceiveNeedsTheSendersNextMessage) {
  const std::vector<Action> last_first = {act(receive, 1), act(wait_received, 1), act(receive, 0),
                                          act(wait_received, 0)};
  const Estimate found = estimate(two_sends(test_sent, last_first), one_node(), placed({0, 1}));
  EXPECT_DOUBLE_EQ(found.makespan_s, (1 + 0.01) + (1 + 1));
  EXPECT_THROW((void)estimate(two_sends(wait_sent, last_first), one_node(), placed({0, 1})), Error);
}

TEST(TestedSends, WaitIfTheReceiveComesByItself) {
  // The receive is posted at 50 s. Message 0 takes 1 + 1 s; then message 1 takes 1.01 s.
  const std::vector<Action> in_order = {
      {compute, -1, -1, 50}, act(receive, 0), act(wait_received, 0), act(receive, 1), act(wait_received, 1)};
  const Estimate found = estimate(two_sends(test_sent, in_order), one_node(), placed({0, 1}));
  EXPECT_DOUBLE_EQ(found.makespan_s, 50 + 2 + 1.01);
}

}  // namespace
}  // namespace corewise
