/// Distinct index types: mixing logical and OS numbers is this field's classic bug.
#pragma once

#include <cstdint>

namespace corewise {

enum class Rank : std::int32_t {};       ///< rank in MPI_COMM_WORLD
enum class NodeIndex : std::int32_t {};  ///< i-th node of the machine
enum class CoreIndex : std::int32_t {};  ///< core of the whole machine: node by node, logical order in each
enum class PuIndex : std::int32_t {};    ///< hardware thread, logical (tree) order on its node
enum class OsIndex : std::int32_t {};    ///< hardware thread as the node's operating system numbers it

/// The plain number of an index, for subscripts and printing.
template <typename Index>
[[nodiscard]] constexpr std::int32_t raw(Index index) noexcept {
  return static_cast<std::int32_t>(index);
}

}  // namespace corewise
