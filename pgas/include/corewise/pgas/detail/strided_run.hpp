/// Runs of elements at equal distances: splitting them at block borders, copying them to and from memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "corewise/pgas/detail/fast_divisor.hpp"

namespace corewise::pgas::detail {

/// Elements offset, offset + stride, ... of one node's block.
struct StridedRun {
  std::size_t offset;  ///< elements from the block's start
  std::size_t stride;  ///< elements, at least 1
  std::size_t count;
};

/// Calls visit(node, run, from) for each block that contains some of the elements first, first + stride, ...
/// of an array; `from` is the number of elements in earlier blocks.
/// @param split the number of elements in a block.
template <class Visit>
void for_each_block(const FastDivisor& split, std::size_t first, std::size_t count, std::size_t stride,
                    Visit visit) {
  std::size_t from = 0;
  while (from < count) {
    const std::size_t i = first + from * stride;
    const std::size_t node = split.quotient(i);
    const std::size_t offset = i - node * split.divisor();
    const std::size_t in_block = std::min(count - from, (split.divisor() - 1 - offset) / stride + 1);
    visit(static_cast<int>(node), StridedRun{offset, stride, in_block}, from);
    from += in_block;
  }
}

/// Writes run.count `values` to a run of the block at `base`.
template <class T>
void store_run(T* base, StridedRun run, std::span<const T> values) {
  T* place = base + run.offset;
  if (run.stride == 1) {
    std::memcpy(place, values.data(), values.size_bytes());
    return;
  }
  for (std::size_t k = 0; k < run.count; ++k) place[k * run.stride] = values[k];
}

/// Reads a run of the block at `base` into run.count `values`.
template <class T>
void load_run(const T* base, StridedRun run, std::span<T> values) {
  const T* place = base + run.offset;
  if (run.stride == 1) {
    std::memcpy(values.data(), place, values.size_bytes());
    return;
  }
  for (std::size_t k = 0; k < run.count; ++k) values[k] = place[k * run.stride];
}

}  // namespace corewise::pgas::detail
