/// Collectives as messages: the algorithm that an MPI library chooses, and the messages of its steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "corewise/schedule.hpp"

namespace corewise {

/// Kinds of collectives with their own choice of algorithm.
enum class Collective {
  allgather,
  allgatherv,
  allreduce,
  alltoall,
  alltoallv,
  barrier,
  bcast,
  gather,
  neighbors,  ///< one message per pair: all neighbour collectives, Gatherv, Scatterv
  reduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  scatter,
};

/// Algorithms of collectives.
enum class Algorithm {
  binary_tree,
  binomial,         ///< the ranks of a subtree are consecutive
  binomial_spread,  ///< the ranks of a subtree are spread over all ranks
  bruck,
  butterfly,
  chain,
  dissemination,
  double_ring,
  gather_bcast,  ///< Gather, then Bcast; the library chooses the algorithm of Bcast
  knomial,       ///< radix 4
  linear,
  neighbor_exchange,
  pairwise,
  rabenseifner,
  recursive_doubling,
  recursive_halving,
  reduce_bcast,       ///< Reduce, then Bcast; the library chooses both algorithms
  reduce_scatter_to,  ///< Reduce, then Scatter; the library chooses both algorithms
  ring,
  scatter_allgather,
  scatter_ring,
  two_chains,
};

/// One collective of all members of a communicator.
struct CollectiveCall {
  Collective kind = Collective::barrier;
  std::int32_t n = 0;  ///< number of members
  std::int32_t root = 0;
  std::uint64_t bytes = 0;        ///< size of the vector; of one block in calls with a block per member
  std::vector<Transfer> pairs{};  ///< messages of calls whose sizes differ per pair; steps are ignored
};

/// The kind of any form of an MPI function: bcast for MPI_Ibcast_c. Empty if it sends no data of the program.
[[nodiscard]] std::optional<Collective> collective_named(std::string_view mpi_call);

/// The algorithm that the library chooses for n members. @param bytes  as CollectiveCall::bytes
[[nodiscard]] Algorithm algorithm_of(MpiLibrary library, Collective kind, std::int32_t n,
                                     std::uint64_t bytes);

/// The messages between members. src and dst are ranks in the communicator.
[[nodiscard]] std::vector<Transfer> transfers_of(const CollectiveCall& call, MpiLibrary library);

}  // namespace corewise
