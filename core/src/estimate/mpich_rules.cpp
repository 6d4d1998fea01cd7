/// MPICH's rules, as data: the algorithm of each collective by number of ranks and size.
///
/// Sources: the "auto" functions of MPICH 3.3 to 4.0, with the defaults of MPIR_CVAR_*_MSG_SIZE; Thakur,
/// Rabenseifner, Gropp, IJHPCA 19 (2005). The rules are for built-in operations on contiguous data. MPICH 4
/// may split a collective into parts within and between nodes; these rules do not.
#include "estimate/algorithm_rules.hpp"

namespace corewise {
namespace {

using enum Algorithm;

constexpr Rule kAllgather[] = {
    {kAnyRanks, 524288, recursive_doubling, Ranks::power_of_two},
    {kAnyRanks, 81920, bruck},
    {kAnyRanks, kAnySize, ring},
};

constexpr Rule kAllreduce[] = {
    {kAnyRanks, 2049, recursive_doubling},
    {kAnyRanks, kAnySize, rabenseifner},
};

constexpr Rule kAlltoall[] = {
    {8, 32769, linear},         {8, kAnySize, pairwise},         {kAnyRanks, 257, bruck},
    {kAnyRanks, 32769, linear}, {kAnyRanks, kAnySize, pairwise},
};

constexpr Rule kBcast[] = {
    {8, kAnySize, binomial},
    {kAnyRanks, 12288, binomial},
    {kAnyRanks, 524288, scatter_allgather, Ranks::power_of_two},
    {kAnyRanks, kAnySize, scatter_ring},
};

constexpr Rule kReduce[] = {
    {kAnyRanks, 2049, binomial},
    {kAnyRanks, kAnySize, rabenseifner},
};

constexpr Rule kReduceScatter[] = {
    {kAnyRanks, 524288, recursive_halving},
    {kAnyRanks, kAnySize, pairwise},
};

constexpr Rule kBinomial[] = {{kAnyRanks, kAnySize, binomial}};
constexpr Rule kDissemination[] = {{kAnyRanks, kAnySize, dissemination}};
constexpr Rule kLinear[] = {{kAnyRanks, kAnySize, linear}};
constexpr Rule kRecursiveDoubling[] = {{kAnyRanks, kAnySize, recursive_doubling}};

constexpr RuleSet kSets[] = {
    {Collective::allgather, "src/mpi/coll/allgather", kAllgather, Bytes::of_all_blocks},
    {Collective::allgatherv, "src/mpi/coll/allgatherv", kAllgather, Bytes::of_all_blocks},
    {Collective::allreduce, "src/mpi/coll/allreduce", kAllreduce},
    {Collective::alltoall, "src/mpi/coll/alltoall", kAlltoall},
    {Collective::alltoallv, "src/mpi/coll/alltoallv", kLinear},
    {Collective::barrier, "src/mpi/coll/barrier", kDissemination},
    {Collective::bcast, "src/mpi/coll/bcast", kBcast},
    {Collective::gather, "src/mpi/coll/gather", kBinomial},
    {Collective::neighbors, "src/mpi/coll/neighbor_*, gatherv, scatterv", kLinear},
    {Collective::reduce, "src/mpi/coll/reduce", kReduce},
    {Collective::reduce_scatter, "src/mpi/coll/reduce_scatter", kReduceScatter},
    {Collective::reduce_scatter_block, "src/mpi/coll/reduce_scatter_block", kReduceScatter,
     Bytes::of_all_blocks},
    {Collective::scan, "src/mpi/coll/scan, exscan", kRecursiveDoubling},
    {Collective::scatter, "src/mpi/coll/scatter", kBinomial},
};
static_assert(is_complete(kSets));

}  // namespace

const LibraryRules kMpichRules{"MPICH", "3.3 to 4.0", kSets, {}};

}  // namespace corewise
