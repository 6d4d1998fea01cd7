/// Turns transfers in steps into actions of processes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "corewise/schedule.hpp"

namespace corewise {

/// Adds the transfers to the schedule as messages, and appends the actions of each member: in each step it
/// starts all its transfers of that step, then waits for all of them.
/// @param transfers    src and dst are members.
/// @param ranks        [member]
/// @param call         index into Schedule::calls, or -1.
/// @param actions_of   returns the list to which a member's actions are appended.
void add_step_actions(Schedule& schedule, std::vector<Transfer> transfers, std::span<const Rank> ranks,
                      std::int32_t call, const std::function<std::vector<Action>&(std::size_t)>& actions_of);

}  // namespace corewise
