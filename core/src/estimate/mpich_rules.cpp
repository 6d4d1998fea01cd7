/// MPICH's rules: the algorithm of each collective by number of ranks and size.
///
/// Source: the "auto" functions of MPICH 3.3 to 4.0 (src/mpi/coll/*/*.c) with the defaults of their control
/// variables MPIR_CVAR_*_MSG_SIZE; Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005). For built-in operations on
/// contiguous data. MPICH 4 may first split a collective into parts within and between nodes: not done here.
#include <bit>

#include "estimate/collective.hpp"

namespace corewise {
namespace {

using enum Algorithm;

bool is_power_of_two(std::int32_t n) { return std::has_single_bit(static_cast<std::uint32_t>(n)); }

Algorithm bcast_algorithm(std::int32_t n, std::uint64_t bytes) {
  if (bytes < 12288 || n < 8) return binomial;
  return bytes < 524288 && is_power_of_two(n) ? scatter_allgather : scatter_ring;
}

Algorithm allgather_algorithm(std::int32_t n, std::uint64_t block) {
  const std::uint64_t all = block * static_cast<std::uint64_t>(n);
  if (all < 524288 && is_power_of_two(n)) return recursive_doubling;
  return all < 81920 ? bruck : ring;
}

Algorithm alltoall_algorithm(std::int32_t n, std::uint64_t block) {
  if (block <= 256 && n >= 8) return bruck;
  return block <= 32768 ? linear : pairwise;
}

}  // namespace

Algorithm mpich_algorithm(Collective kind, std::int32_t n, std::uint64_t bytes) {
  switch (kind) {
    case Collective::allgather:
    case Collective::allgatherv:
      return allgather_algorithm(n, bytes);
    case Collective::allreduce:
      return bytes <= 2048 ? recursive_doubling : rabenseifner;
    case Collective::alltoall:
      return alltoall_algorithm(n, bytes);
    case Collective::barrier:
      return dissemination;
    case Collective::bcast:
      return bcast_algorithm(n, bytes);
    case Collective::reduce:
      return bytes <= 2048 ? binomial : rabenseifner;
    case Collective::reduce_scatter:
      return bytes < 524288 ? recursive_halving : pairwise;
    case Collective::reduce_scatter_block:
      return bytes * static_cast<std::uint64_t>(n) < 524288 ? recursive_halving : pairwise;
    case Collective::gather:
    case Collective::scatter:
      return binomial;
    case Collective::alltoallv:
    case Collective::neighbors:
      return linear;
    case Collective::scan:
      return recursive_doubling;
  }
  return linear;
}

}  // namespace corewise
