/// Collectives as messages: which algorithm an MPI library takes, and what that sends in which step.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "corewise/schedule.hpp"

namespace corewise {

/// Calls that differ in how they travel.
enum class Collective {
  allgather,
  allgatherv,
  allreduce,
  alltoall,
  alltoallv,
  barrier,
  bcast,
  gather,
  neighbors,  ///< all neighbour collectives, Gatherv and Scatterv: each pair by itself
  reduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  scatter,
};

/// How a collective travels.
enum class Algorithm {
  binary_tree,
  binomial,         ///< the subtree of a child are ranks next to it
  binomial_spread,  ///< the subtree of a child are ranks far from it
  bruck,
  butterfly,
  chain,
  dissemination,
  double_ring,
  gather_bcast,  ///< two collectives of the library's own choice, one after the other
  knomial,       ///< radix 4
  linear,
  neighbor_exchange,
  pairwise,
  rabenseifner,
  recursive_doubling,
  recursive_halving,
  reduce_bcast,       ///< as gather_bcast
  reduce_scatter_to,  ///< as gather_bcast: Reduce, then Scatter
  ring,
  scatter_allgather,
  scatter_ring,
  two_chains,
};

/// One call of all members of a communicator.
struct CollectiveCall {
  Collective kind = Collective::barrier;
  std::int32_t n = 0;  ///< members
  std::int32_t root = 0;
  std::uint64_t bytes = 0;        ///< of the vector; of calls with a block for each member of one block
  std::vector<Transfer> pairs{};  ///< of calls whose sizes differ from pair to pair; steps are ignored
};

/// The collective that a call's name stands for, whatever its form (MPI_Ibcast_c is a bcast); absent for
/// calls that send nothing of the program's.
[[nodiscard]] std::optional<Collective> collective_named(std::string_view mpi_call);

/// What the library takes for a collective of `bytes` (as CollectiveCall::bytes) on n members.
[[nodiscard]] Algorithm algorithm_of(MpiLibrary library, Collective kind, std::int32_t n,
                                     std::uint64_t bytes);

/// The messages between members, numbered by their places in the communicator.
[[nodiscard]] std::vector<Transfer> transfers_of(const CollectiveCall& call, MpiLibrary library);

}  // namespace corewise
