/// Equal subtrees: which objects of a tree can change places without anyone noticing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace corewise {

/// Whether subtrees whose children come in another order are equal.
enum class ChildOrder { any, kept };

/// Classes of equal subtrees: two vertices share one if they have the same mark and children of the same
/// classes.
///
/// @param parent  [vertex] its parent, a greater number; -1 for a root.
/// @param mark    [vertex] what tells it from others, for example the class of a core; a vertex with a
/// negative
///                mark is left out of its parent's children.
/// @return [vertex] its class, numbered from 0 in the order of the first vertices; -1 for those left out.
/// @throws Error(size_mismatch) when the columns differ in length; Error(bad_input) for a parent that is no
///         greater number.
[[nodiscard]] std::vector<std::int32_t> equal_subtrees(std::span<const std::int32_t> parent,
                                                       std::span<const std::int64_t> mark,
                                                       ChildOrder order = ChildOrder::any);

/// One mark from two numbers that are not negative.
[[nodiscard]] constexpr std::int64_t mark_of(std::int32_t high, std::int32_t low) {
  return (std::int64_t{high} << 32) | low;
}

}  // namespace corewise
