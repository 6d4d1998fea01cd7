/// Index types. They are distinct, so that the compiler rejects code that mixes logical and OS numbers.
#pragma once

#include <cstdint>

namespace corewise {

enum class Rank : std::int32_t {};       ///< rank in MPI_COMM_WORLD
enum class NodeIndex : std::int32_t {};  ///< node of the machine
enum class CoreIndex : std::int32_t {};  ///< core of the whole machine: node by node, logical order in each
enum class PuIndex : std::int32_t {};    ///< hardware thread: its logical (tree) number on its node
enum class OsIndex : std::int32_t {};    ///< hardware thread: its number in the node's operating system

/// An index as an integer, for subscripts and printing.
template <typename Index>
[[nodiscard]] constexpr std::int32_t raw(Index index) noexcept {
  return static_cast<std::int32_t>(index);
}

}  // namespace corewise
