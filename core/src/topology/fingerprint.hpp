/// Fingerprint of a machine or of a part of it.
#pragma once

#include <cstdint>
#include <string>

#include "corewise/machine.hpp"

namespace corewise {

/// Cores begin to end - 1 of the whole machine.
struct CoreRange {
  std::int32_t begin;
  std::int32_t end;
};

/// Hash of the tree over `range` up to level `top`, and of the OS indices in it: 16 hexadecimal digits.
[[nodiscard]] std::string fingerprint(const Machine& machine, CoreRange range, int top);

}  // namespace corewise
