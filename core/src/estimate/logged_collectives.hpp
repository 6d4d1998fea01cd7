/// Collectives of a log: the calls of all members found together, and what each member does in them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "corewise/schedule.hpp"

namespace corewise {

/// What the events of collectives become; keys are indices of events.
struct LoggedCollectives {
  std::unordered_map<std::size_t, std::vector<Action>> actions_of;  ///< empty for one that starts a request
  std::unordered_map<std::size_t, std::int32_t> process_of;  ///< of those that start a request: its process
  std::size_t n_left_out = 0;
};

/// Adds the messages of all collectives to the schedule, and a process for each that starts a request. The
/// k-th collective of a member in a communicator is the k-th of every other one (MPI 4.0, 6.1).
[[nodiscard]] LoggedCollectives expand_collectives(const Profile& profile, const EventLog& log,
                                                   MpiLibrary library, Schedule& schedule);

}  // namespace corewise
