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

/// Bytes of a block of an array with `size` elements. @throws Error if the whole array exceeds the address
/// space of a process.
[[nodiscard]] std::size_t block_bytes(std::size_t size, std::size_t element_bytes, int n_nodes);

/// This node's block of an array.
class ArrayBlock {
 public:
  /// All bytes are 0. @throws Error if memory runs out.
  explicit ArrayBlock(std::size_t bytes);
  ~ArrayBlock();
  ArrayBlock(const ArrayBlock&) = delete;
  ArrayBlock& operator=(const ArrayBlock&) = delete;

  /// First byte of the block if `node` is this node, else nullptr.
  [[nodiscard]] std::byte* base(int node) const noexcept { return node == node_ ? memory_ : nullptr; }

 private:
  int node_;
  std::byte* memory_ = nullptr;
  std::size_t bytes_;
};

/// This node's block of an array. @throws Error if there is no array with this id.
[[nodiscard]] inline const ArrayBlock& array_block(std::uint32_t id) {
  return object<ArrayBlock>(*this_context, id);
}

/// @throws Error: an array of `size` elements has no element i.
[[noreturn]] void throw_index(std::size_t i, std::size_t size);

/// @throws Error: not all of `count` elements from `first` on are in an array of `size`.
[[noreturn]] void throw_run(std::size_t first, std::size_t count, std::size_t size);

}  // namespace corewise::pgas::detail
