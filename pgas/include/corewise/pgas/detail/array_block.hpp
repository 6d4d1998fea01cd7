/// The memory of a global array: one block of elements on each node.
#pragma once

#include <algorithm>
#include <cstddef>

#include "corewise/pgas/detail/objects.hpp"

namespace corewise::pgas::detail {

/// Number of elements in a block: the same on every node, at least 1.
[[nodiscard]] constexpr std::size_t block_of(std::size_t size, int n_nodes) {
  const auto nodes = static_cast<std::size_t>(n_nodes);
  return std::max<std::size_t>(1, (size + nodes - 1) / nodes);
}

/// This node's block of an array.
class ArrayBlock {
 public:
  /// All bytes are 0. @throws Error where memory is short.
  explicit ArrayBlock(std::size_t bytes);
  ~ArrayBlock();
  ArrayBlock(const ArrayBlock&) = delete;
  ArrayBlock& operator=(const ArrayBlock&) = delete;

  /// First byte of the block of `node` where that is this node, else nullptr.
  [[nodiscard]] std::byte* base(int node) const noexcept { return node == node_ ? memory_ : nullptr; }

 private:
  int node_;
  std::byte* memory_ = nullptr;
  std::size_t bytes_;
};

/// This node's block of the array with an id. @throws Error where there is no such array.
[[nodiscard]] inline const ArrayBlock& array_block(std::uint32_t id) {
  return object<ArrayBlock>(*this_context, id);
}

/// @throws Error saying that an array of `size` elements has no element i.
[[noreturn]] void throw_index(std::size_t i, std::size_t size);

}  // namespace corewise::pgas::detail
