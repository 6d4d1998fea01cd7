/// Open MPI's rules: the algorithm of each collective by number of ranks and size.
///
/// Source: ompi/mca/coll/tuned/coll_tuned_decision_fixed.c of Open MPI 4.1.4, read out 2026-11-22, for
/// operations that commute; what we don't tell apart is one: the linear algorithms with and without
/// synchronisation, segmented ones (the fixed rules ask for a single segment), in-order trees.
#include <bit>
#include <limits>
#include <span>

#include "estimate/collective.hpp"

namespace corewise {
namespace {

using enum Algorithm;

constexpr auto kAnyRanks = std::numeric_limits<std::int32_t>::max();
constexpr auto kAnySize = std::numeric_limits<std::uint64_t>::max();

/// For fewer than `below_ranks` members and `below_bytes`; the first rule that holds counts.
struct Rule {
  std::int32_t below_ranks;
  std::uint64_t below_bytes;
  Algorithm algorithm;
};

constexpr Rule kAllgather[] = {
    {3, kAnySize, linear},
    {32, kAnySize, recursive_doubling},
    {64, 1024, recursive_doubling},
    {64, 65536, neighbor_exchange},
    {64, kAnySize, ring},
    {128, 512, recursive_doubling},
    {128, 65536, neighbor_exchange},
    {128, kAnySize, ring},
    {256, 512, recursive_doubling},
    {256, 131072, neighbor_exchange},
    {256, 524288, ring},
    {256, 1048576, neighbor_exchange},
    {256, kAnySize, ring},
    {512, 32, recursive_doubling},
    {512, 128, bruck},
    {512, 1024, recursive_doubling},
    {512, 131072, neighbor_exchange},
    {512, 524288, ring},
    {512, 1048576, neighbor_exchange},
    {512, kAnySize, ring},
    {1024, 64, recursive_doubling},
    {1024, 256, bruck},
    {1024, 2048, recursive_doubling},
    {1024, kAnySize, neighbor_exchange},
    {2048, 4, recursive_doubling},
    {2048, 8, bruck},
    {2048, 16, recursive_doubling},
    {2048, 32, bruck},
    {2048, 256, recursive_doubling},
    {2048, 512, bruck},
    {2048, 4096, recursive_doubling},
    {2048, kAnySize, neighbor_exchange},
    {4096, 32, bruck},
    {4096, 128, recursive_doubling},
    {4096, 512, bruck},
    {4096, 4096, recursive_doubling},
    {4096, kAnySize, neighbor_exchange},
    {kAnyRanks, 2, recursive_doubling},
    {kAnyRanks, 8, bruck},
    {kAnyRanks, 16, recursive_doubling},
    {kAnyRanks, 512, bruck},
    {kAnyRanks, 4096, recursive_doubling},
    {kAnyRanks, kAnySize, neighbor_exchange},
};

constexpr Rule kAllgatherv[] = {
    {3, 2048, ring},
    {3, 4096, linear},
    {3, 8192, ring},
    {3, kAnySize, linear},
    {8, 256, gather_bcast},
    {8, 4096, neighbor_exchange},
    {8, 8192, ring},
    {8, 16384, neighbor_exchange},
    {8, 262144, bruck},
    {8, kAnySize, neighbor_exchange},
    {16, 1024, gather_bcast},
    {16, kAnySize, bruck},
    {32, 128, gather_bcast},
    {32, 262144, bruck},
    {32, kAnySize, ring},
    {64, 256, gather_bcast},
    {64, 8192, bruck},
    {64, kAnySize, ring},
    {128, 256, gather_bcast},
    {128, 4096, bruck},
    {128, kAnySize, ring},
    {256, 1024, bruck},
    {256, 65536, neighbor_exchange},
    {256, kAnySize, ring},
    {512, 1024, bruck},
    {512, kAnySize, ring},
    {1024, 512, bruck},
    {1024, 1024, gather_bcast},
    {1024, 4096, bruck},
    {1024, 1048576, neighbor_exchange},
    {1024, kAnySize, ring},
    {kAnyRanks, 4096, bruck},
    {kAnyRanks, kAnySize, neighbor_exchange},
};

constexpr Rule kAllreduce[] = {
    {4, 8, ring},
    {4, 4096, recursive_doubling},
    {4, 8192, ring},
    {4, 16384, recursive_doubling},
    {4, 262144, ring},
    {4, kAnySize, rabenseifner},
    {8, 16, ring},
    {8, 8192, recursive_doubling},
    {8, kAnySize, rabenseifner},
    {16, 8192, recursive_doubling},
    {16, kAnySize, rabenseifner},
    {32, 64, ring},
    {32, 4096, recursive_doubling},
    {32, kAnySize, rabenseifner},
    {64, 128, ring},
    {64, kAnySize, rabenseifner},
    {128, 262144, recursive_doubling},
    {128, kAnySize, rabenseifner},
    {256, 131072, reduce_bcast},
    {256, 262144, recursive_doubling},
    {256, kAnySize, rabenseifner},
    {512, 4096, reduce_bcast},
    {512, kAnySize, rabenseifner},
    {2048, 2048, reduce_bcast},
    {2048, 16384, recursive_doubling},
    {2048, kAnySize, rabenseifner},
    {4096, 2048, reduce_bcast},
    {4096, 4096, ring},
    {4096, 16384, recursive_doubling},
    {4096, kAnySize, rabenseifner},
    {kAnyRanks, 2048, reduce_bcast},
    {kAnyRanks, 16384, ring},
    {kAnyRanks, 32768, recursive_doubling},
    {kAnyRanks, kAnySize, rabenseifner},
};

constexpr Rule kAlltoall[] = {
    {3, 2, pairwise},         {3, 4, linear},           {3, 16, pairwise},
    {3, 64, linear},          {3, 256, pairwise},       {3, 4096, linear},
    {3, 32768, pairwise},     {3, 1048576, linear},     {3, kAnySize, pairwise},
    {8, 524288, linear},      {8, 1048576, pairwise},   {8, kAnySize, linear},
    {16, kAnySize, linear},   {32, 4, linear},          {32, 512, bruck},
    {32, kAnySize, linear},   {64, 512, bruck},         {64, kAnySize, linear},
    {256, 1024, bruck},       {256, 262144, linear},    {256, kAnySize, pairwise},
    {512, 1024, bruck},       {512, 32768, linear},     {512, kAnySize, pairwise},
    {1024, 512, bruck},       {1024, 262144, linear},   {1024, kAnySize, pairwise},
    {2048, 512, bruck},       {2048, kAnySize, linear}, {4096, 1024, bruck},
    {4096, kAnySize, linear}, {kAnyRanks, 2048, bruck}, {kAnyRanks, kAnySize, linear},
};

constexpr Rule kAlltoallv[] = {
    {4, kAnySize, pairwise}, {64, kAnySize, linear},     {128, kAnySize, pairwise},
    {256, kAnySize, linear}, {1024, kAnySize, pairwise}, {kAnyRanks, kAnySize, linear},
};

constexpr Rule kBarrier[] = {
    {4, kAnySize, recursive_doubling},  {8, kAnySize, linear},
    {64, kAnySize, recursive_doubling}, {256, kAnySize, dissemination},
    {512, kAnySize, binomial},          {1024, kAnySize, dissemination},
    {4096, kAnySize, binomial},         {kAnyRanks, kAnySize, dissemination},
};

constexpr Rule kBcast[] = {
    {4, 32, chain},
    {4, 256, binary_tree},
    {4, 512, chain},
    {4, 1024, knomial},
    {4, 32768, linear},
    {4, 131072, binary_tree},
    {4, 262144, chain},
    {4, 524288, linear},
    {4, 1048576, binomial_spread},
    {4, kAnySize, binary_tree},
    {8, 64, binary_tree},
    {8, 128, binomial_spread},
    {8, 2048, binary_tree},
    {8, 8192, binomial_spread},
    {8, 1048576, linear},
    {8, kAnySize, chain},
    {16, 8, knomial},
    {16, 64, binary_tree},
    {16, 4096, knomial},
    {16, 16384, binary_tree},
    {16, 32768, binomial_spread},
    {16, kAnySize, linear},
    {32, 4096, knomial},
    {32, 1048576, binomial_spread},
    {32, kAnySize, scatter_allgather},
    {64, 2048, binomial_spread},
    {64, kAnySize, knomial},
    {128, kAnySize, knomial},
    {256, 2, binomial_spread},
    {256, 16384, binary_tree},
    {256, 32768, linear},
    {256, 65536, binary_tree},
    {256, kAnySize, knomial},
    {1024, 16384, knomial},
    {1024, 32768, binary_tree},
    {1024, kAnySize, knomial},
    {2048, 524288, knomial},
    {2048, kAnySize, scatter_allgather},
    {4096, 262144, knomial},
    {4096, kAnySize, scatter_allgather},
    {kAnyRanks, 8192, knomial},
    {kAnyRanks, 16384, binary_tree},
    {kAnyRanks, 262144, knomial},
    {kAnyRanks, kAnySize, scatter_allgather},
};

constexpr Rule kGather[] = {
    {4, 4, linear},
    {4, 32768, binomial},
    {4, 65536, linear},
    {4, 131072, binomial},
    {4, kAnySize, linear},
    {8, 1024, binomial},
    {8, 8192, linear},
    {8, 32768, binomial},
    {8, kAnySize, linear},
    {256, kAnySize, binomial},
    {512, 2048, binomial},
    {512, 8192, linear},
    {512, kAnySize, binomial},
    {kAnyRanks, kAnySize, binomial},
};

constexpr Rule kReduce[] = {
    {4, 8, rabenseifner},
    {4, 16, binary_tree},
    {4, 32, chain},
    {4, 262144, linear},
    {4, 524288, chain},
    {4, 1048576, two_chains},
    {4, kAnySize, chain},
    {8, 4096, binary_tree},
    {8, 65536, two_chains},
    {8, 262144, binomial},
    {8, 524288, linear},
    {8, 1048576, binomial},
    {8, kAnySize, linear},
    {16, 8192, binary_tree},
    {16, kAnySize, binomial},
    {32, 4096, binary_tree},
    {32, kAnySize, binomial},
    {256, kAnySize, binomial},
    {512, 8192, binomial},
    {512, 16384, binary_tree},
    {512, kAnySize, binomial},
    {2048, kAnySize, binomial},
    {4096, 512, binomial},
    {4096, 1024, binary_tree},
    {4096, 8192, binomial},
    {4096, 16384, binary_tree},
    {4096, kAnySize, binomial},
    {kAnyRanks, 16, binomial},
    {kAnyRanks, 32, binary_tree},
    {kAnyRanks, 1024, binomial},
    {kAnyRanks, 2048, binary_tree},
    {kAnyRanks, 8192, binomial},
    {kAnyRanks, 16384, binary_tree},
    {kAnyRanks, kAnySize, binomial},
};

constexpr Rule kReduceScatter[] = {
    {4, 65536, ring},
    {4, 131072, butterfly},
    {4, kAnySize, ring},
    {8, 8, reduce_scatter_to},
    {8, 262144, recursive_halving},
    {8, kAnySize, ring},
    {32, 262144, recursive_halving},
    {32, kAnySize, ring},
    {64, 64, reduce_scatter_to},
    {64, 2048, recursive_halving},
    {64, 524288, butterfly},
    {64, kAnySize, ring},
    {128, 256, reduce_scatter_to},
    {128, 512, recursive_halving},
    {128, 2048, butterfly},
    {128, 4096, recursive_halving},
    {128, kAnySize, butterfly},
    {256, 256, reduce_scatter_to},
    {256, 512, recursive_halving},
    {256, kAnySize, butterfly},
    {512, 256, reduce_scatter_to},
    {512, 1024, recursive_halving},
    {512, kAnySize, butterfly},
    {1024, 512, reduce_scatter_to},
    {1024, 2048, recursive_halving},
    {1024, 8192, butterfly},
    {1024, 16384, recursive_halving},
    {1024, kAnySize, butterfly},
    {2048, 512, reduce_scatter_to},
    {2048, 4096, recursive_halving},
    {2048, 16384, butterfly},
    {2048, 32768, recursive_halving},
    {2048, kAnySize, butterfly},
    {4096, 512, reduce_scatter_to},
    {4096, 4096, recursive_halving},
    {4096, kAnySize, butterfly},
    {kAnyRanks, 1024, reduce_scatter_to},
    {kAnyRanks, 8192, recursive_halving},
    {kAnyRanks, kAnySize, butterfly},
};

constexpr Rule kReduceScatterBlock[] = {
    {4, 4, recursive_doubling},
    {4, 8, butterfly},
    {4, 16, recursive_halving},
    {4, 128, butterfly},
    {4, 256, recursive_halving},
    {4, 4096, butterfly},
    {4, 8192, recursive_halving},
    {4, 131072, butterfly},
    {4, kAnySize, reduce_scatter_to},
    {8, 8, recursive_halving},
    {8, 32, recursive_doubling},
    {8, 256, butterfly},
    {8, 8192, recursive_halving},
    {8, 16384, butterfly},
    {8, 1048576, recursive_halving},
    {8, kAnySize, reduce_scatter_to},
    {16, 4, reduce_scatter_to},
    {16, 32, recursive_halving},
    {16, 128, butterfly},
    {16, 524288, recursive_halving},
    {16, 4194304, reduce_scatter_to},
    {16, kAnySize, butterfly},
    {32, 32, reduce_scatter_to},
    {32, 524288, recursive_halving},
    {32, 2097152, reduce_scatter_to},
    {32, 4194304, recursive_halving},
    {32, kAnySize, butterfly},
    {kAnyRanks, 4, recursive_halving},
    {kAnyRanks, 16, reduce_scatter_to},
    {kAnyRanks, 65536, butterfly},
    {kAnyRanks, 262144, reduce_scatter_to},
    {kAnyRanks, kAnySize, butterfly},
};

constexpr Rule kScatter[] = {
    {4, kAnySize, linear},         {8, 2048, binomial},    {8, 4096, linear},
    {8, 8192, binomial},           {8, kAnySize, linear},  {32, 16384, binomial},
    {32, kAnySize, linear},        {64, 512, binomial},    {64, 8192, linear},
    {64, 16384, binomial},         {64, kAnySize, linear}, {kAnyRanks, 512, binomial},
    {kAnyRanks, kAnySize, linear},
};

std::span<const Rule> rules_of(Collective kind) {
  switch (kind) {
    case Collective::allgather:
      return kAllgather;
    case Collective::allgatherv:
      return kAllgatherv;
    case Collective::allreduce:
      return kAllreduce;
    case Collective::alltoall:
      return kAlltoall;
    case Collective::alltoallv:
      return kAlltoallv;
    case Collective::barrier:
      return kBarrier;
    case Collective::bcast:
      return kBcast;
    case Collective::gather:
      return kGather;
    case Collective::reduce:
      return kReduce;
    case Collective::reduce_scatter:
      return kReduceScatter;
    case Collective::reduce_scatter_block:
      return kReduceScatterBlock;
    case Collective::scatter:
      return kScatter;
    case Collective::neighbors:
    case Collective::scan:
      break;
  }
  return {};
}

/// What an algorithm itself takes in its place: a ring needs an element of the vector for each member,
/// Rabenseifner's algorithm one for each of the greatest power of two of them (coll_base_allreduce.c,
/// coll_base_reduce.c in ompi/mca/coll/base). Profiles hold bytes: four are taken to be an element.
Algorithm with_enough_elements(Collective kind, Algorithm algorithm, std::int32_t n, std::uint64_t bytes) {
  const auto members = static_cast<std::uint32_t>(n);
  const std::uint64_t elements = bytes / 4;
  if (kind == Collective::allreduce && algorithm == ring && elements < members) return recursive_doubling;
  if (kind == Collective::reduce && algorithm == rabenseifner && elements < std::bit_floor(members)) {
    return linear;
  }
  return algorithm;
}

}  // namespace

Algorithm openmpi_algorithm(Collective kind, std::int32_t n, std::uint64_t bytes) {
  for (const Rule& rule : rules_of(kind)) {
    if (n < rule.below_ranks && bytes < rule.below_bytes) {
      return with_enough_elements(kind, rule.algorithm, n, bytes);
    }
  }
  return linear;
}

}  // namespace corewise
