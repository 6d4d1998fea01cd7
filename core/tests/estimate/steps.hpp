/// Schedules of messages in steps, for tests of the replay.
#pragma once

#include <utility>
#include <vector>

#include "estimate/step_actions.hpp"

namespace corewise::testing {

/// In each step, every rank starts all its transfers of that step, then waits for all of them.
inline Schedule schedule_of_steps(std::int32_t n_ranks, std::vector<Transfer> transfers) {
  Schedule schedule;
  schedule.n_ranks = n_ranks;
  std::vector<Rank> ranks;
  for (std::int32_t rank = 0; rank < n_ranks; ++rank) {
    ranks.push_back(Rank{rank});
    schedule.processes.push_back({Rank{rank}, true, {}});
  }
  add_step_actions(
      schedule, std::move(transfers), ranks, -1,
      [&](std::size_t member) -> std::vector<Action>& { return schedule.processes[member].actions; });
  return schedule;
}

}  // namespace corewise::testing
