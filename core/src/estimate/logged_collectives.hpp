/// Collectives of an event log: matches the calls of all members, and expands them to the members' actions.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "corewise/schedule.hpp"

namespace corewise {

/// Actions of the events of collectives. Keys are indices of events.
struct LoggedCollectives {
  std::unordered_map<std::size_t, std::vector<Action>> actions_of;  ///< empty if the event starts a request
  std::unordered_map<std::size_t, std::int32_t> process_of;  ///< process of an event that starts a request
  std::size_t n_left_out = 0;
};

/// Adds the messages of all collectives to the schedule, and a process for each collective that starts a
/// request. The k-th collective of a member in a communicator matches the k-th of every other member (MPI
/// 4.0, 6.1).
[[nodiscard]] LoggedCollectives expand_collectives(const Profile& profile, const EventLog& log,
                                                   MpiLibrary library, Schedule& schedule);

}  // namespace corewise
