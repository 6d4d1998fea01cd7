/// Equal subtrees: which vertices of a tree are interchangeable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace corewise {

/// Whether subtrees that differ only in the order of their children are equal (any) or not (kept).
enum class ChildOrder { any, kept };

/// Divides vertices into classes: those of a class have the same mark, and children of the same classes.
///
/// @param parent  [vertex] number of its parent, which must be greater than its own; -1 for a root.
/// @param mark    [vertex] a label, for example the kind of a core. A vertex with a negative mark is ignored.
/// @return [vertex] its class, numbered from 0 by first occurrence; -1 for ignored vertices.
/// @throws Error(size_mismatch) when `parent` and `mark` differ in length; Error(bad_input) for a
///         parent whose number is not greater.
[[nodiscard]] std::vector<std::int32_t> equal_subtrees(std::span<const std::int32_t> parent,
                                                       std::span<const std::int64_t> mark,
                                                       ChildOrder order = ChildOrder::any);

/// Combines two non-negative numbers into one mark.
[[nodiscard]] constexpr std::int64_t mark_of(std::int32_t high, std::int32_t low) {
  return (std::int64_t{high} << 32) | low;
}

}  // namespace corewise
