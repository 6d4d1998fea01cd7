// Indices of the benchmark's operations: spread by a multiplication, which costs little compared with an
// operation.
#pragma once

#include <cstddef>

/// Neighbouring i go far apart (Knuth's multiplicative hash).
constexpr std::size_t spread(std::size_t i) { return (i * 0x9e3779b97f4a7c15ULL) >> 32; }
