/// Transfers of some processes as their actions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "corewise/schedule.hpp"

namespace corewise {

/// Adds what each member does: it begins all its transfers of a step, then waits for all of them, step by
/// step.
/// @param transfers    between members.
/// @param ranks        of the members.
/// @param actions_of   where a member's actions go.
void add_step_actions(Schedule& schedule, std::vector<Transfer> transfers, std::span<const Rank> ranks,
                      std::int32_t call, const std::function<std::vector<Action>&(std::size_t)>& actions_of);

}  // namespace corewise
