/// steps_of(): the messages of a schedule, put into steps by what each of them waits for.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/schedule.hpp"

namespace corewise {

/// A message is one step behind the latest message that its sender or its receiver waited for before it began
/// (Lamport's logical clocks, CACM 21 (1978)).
/// @return [step] its messages as transfers between ranks; `Transfer::step` is the number of the step.
/// @throws Error(bad_input) where a message waits for itself.
[[nodiscard]] std::vector<std::vector<Transfer>> steps_of(const Schedule& schedule);

}  // namespace corewise
