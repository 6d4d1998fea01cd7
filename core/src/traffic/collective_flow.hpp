/// Turns collective calls into messages, by the logical flow of the data or by an algorithm.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "corewise/profile.hpp"

namespace corewise {

/// Contribution of one member to its collective calls: their total bytes and their number.
struct Contribution {
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
};

/// All calls of one kind and root in one communicator.
struct CollectiveCalls {
  const std::vector<Rank>& members;
  std::string_view call;                ///< "MPI_Iallgather", ...
  int flow = 0;                         ///< cw_profile_flow
  std::int32_t root = -1;               ///< index into members; -1: none
  std::vector<Contribution> of_member;  ///< [member]
};

/// Appends the messages between different ranks. Calls to which the algorithm of `flow` does not apply use
/// the logical flow. Sources: Zhang, Yuan et al., the SMP-CMP paper, section IV (ring and recursive-doubling
/// allgather, binomial broadcast); Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005) (the other calls, and
/// numbers of ranks that are no power of two).
/// @throws Error(unsupported) if `entries` would grow beyond 2^27.
void expand(const CollectiveCalls& calls, CollectiveFlow flow, std::vector<MatrixEntry>& entries);

/// Messages and bytes that member `caller` sends by the logical flow.
[[nodiscard]] Contribution sent_logically(int flow, std::int32_t root, std::size_t n_members,
                                          std::size_t caller, Contribution put_in);

}  // namespace corewise
