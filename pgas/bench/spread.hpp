// Spreads the indices of the benchmark's operations, at a small cost compared with an operation.
#pragma once

#include <cstddef>

/// Maps neighbouring i far apart (Knuth's multiplicative hash).
constexpr std::size_t spread(std::size_t i) { return (i * 0x9e3779b97f4a7c15ULL) >> 32; }
