/// transfers_of(): the messages of the algorithm that a library chooses for a collective.
#include "estimate/collective.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "estimate/algorithms.hpp"

namespace corewise {
namespace {

constexpr std::array<std::pair<std::string_view, Collective>, 17> kNames{{
    {"allgather", Collective::allgather},
    {"allgatherv", Collective::allgatherv},
    {"allreduce", Collective::allreduce},
    {"alltoall", Collective::alltoall},
    {"alltoallv", Collective::alltoallv},
    {"alltoallw", Collective::alltoallv},
    {"barrier", Collective::barrier},
    {"bcast", Collective::bcast},
    {"exscan", Collective::scan},
    {"gather", Collective::gather},
    {"gatherv", Collective::neighbors},
    {"reduce", Collective::reduce},
    {"reduce_scatter", Collective::reduce_scatter},
    {"reduce_scatter_block", Collective::reduce_scatter_block},
    {"scan", Collective::scan},
    {"scatter", Collective::scatter},
    {"scatterv", Collective::neighbors},
}};

std::optional<Collective> exact_name(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name, [](const auto& row) { return row.first; });
  if (found != kNames.end()) return found->second;
  return std::nullopt;
}

/// Adds a tree from the root down.
void add_tree(Algorithms& steps, Algorithm algorithm, std::uint64_t bytes) {
  switch (algorithm) {
    case Algorithm::binary_tree:
      return steps.binary_tree_down(bytes);
    case Algorithm::binomial:
      return steps.binomial_down(bytes, false);
    case Algorithm::binomial_spread:
      return steps.binomial_spread_down(bytes);
    case Algorithm::chain:
      return steps.chains_down(1, bytes);
    case Algorithm::knomial:
      return steps.knomial_down(bytes);
    case Algorithm::two_chains:
      return steps.chains_down(2, bytes);
    default:
      return steps.linear_down(bytes);
  }
}

/// Expands one call. A collective made of two others, such as reduce and bcast, expands them in turn.
class Expansion {
 public:
  Expansion(const CollectiveCall& call, MpiLibrary library)
      : call_(call),
        library_(library),
        algorithm_(algorithm_of(library, call.kind, call.n, call.bytes)),
        steps_(call.n, call.root) {}

  std::vector<Transfer> transfers() {
    switch (call_.kind) {
      case Collective::allgather:
      case Collective::allgatherv:
        allgather();
        break;
      case Collective::allreduce:
        allreduce();
        break;
      case Collective::alltoall:
        if (algorithm_ == Algorithm::bruck) steps_.bruck_alltoall(call_.bytes);
        if (algorithm_ != Algorithm::bruck) steps_.all_pairs(call_.bytes, in_steps());
        break;
      case Collective::alltoallv:
      case Collective::neighbors:
        steps_.pairs(call_.pairs, in_steps());
        break;
      case Collective::barrier:
        barrier();
        break;
      case Collective::bcast:
        bcast();
        break;
      case Collective::gather:
      case Collective::scatter:
        if (algorithm_ == Algorithm::binomial) steps_.binomial_down(call_.bytes, true);
        if (algorithm_ != Algorithm::binomial) steps_.linear_down(call_.bytes);
        if (call_.kind == Collective::gather) steps_.reverse_from(0);
        break;
      case Collective::reduce:
        if (algorithm_ == Algorithm::rabenseifner) steps_.rabenseifner_reduce(call_.bytes);
        if (algorithm_ != Algorithm::rabenseifner) {
          add_tree(steps_, algorithm_, call_.bytes);
          steps_.reverse_from(0);
        }
        break;
      case Collective::reduce_scatter:
        reduce_scatter(call_.bytes);
        break;
      case Collective::reduce_scatter_block:
        reduce_scatter(call_.bytes * n_members());
        break;
      case Collective::scan:
        if (algorithm_ == Algorithm::recursive_doubling) steps_.recursive_doubling(call_.bytes, false);
        if (algorithm_ != Algorithm::recursive_doubling) steps_.chains_down(1, call_.bytes);
        break;
    }
    return steps_.take();
  }

 private:
  [[nodiscard]] std::uint64_t n_members() const { return static_cast<std::uint64_t>(call_.n); }
  [[nodiscard]] bool in_steps() const { return algorithm_ == Algorithm::pairwise; }

  void then(Collective kind, std::uint64_t bytes) {
    steps_.append(transfers_of({kind, call_.n, call_.root, bytes}, library_));
  }

  void allgather() {
    if (algorithm_ == Algorithm::bruck) return steps_.bruck_allgather(call_.bytes);
    if (algorithm_ == Algorithm::neighbor_exchange) return steps_.neighbor_exchange(call_.bytes);
    if (algorithm_ == Algorithm::recursive_doubling) return steps_.recursive_doubling(call_.bytes, true);
    if (algorithm_ == Algorithm::ring) return steps_.ring(call_.bytes, call_.n - 1);
    if (algorithm_ != Algorithm::gather_bcast) return steps_.all_pairs(call_.bytes, false);
    steps_.linear_down(call_.bytes);
    steps_.reverse_from(0);
    then(Collective::bcast, call_.bytes * n_members());
  }

  void allreduce() {
    if (algorithm_ == Algorithm::recursive_doubling) return steps_.recursive_doubling(call_.bytes, false);
    if (algorithm_ == Algorithm::rabenseifner) return steps_.rabenseifner_allreduce(call_.bytes);
    if (algorithm_ == Algorithm::ring) return steps_.ring(call_.bytes / n_members(), 2 * (call_.n - 1));
    then(Collective::reduce, call_.bytes);
    then(Collective::bcast, call_.bytes);
  }

  void barrier() {
    if (algorithm_ == Algorithm::recursive_doubling) return steps_.recursive_doubling(0, false);
    if (algorithm_ == Algorithm::dissemination) return steps_.dissemination();
    if (algorithm_ == Algorithm::double_ring) {
      for (int round = 0; round < 2; ++round) {
        steps_.chains_down(1, 0);
        steps_.append({{0, call_.n - 1, 0, 0}});
      }
      return;
    }
    add_tree(steps_, algorithm_, 0);
    steps_.reverse_from(0);
    Algorithms down(call_.n, call_.root);
    add_tree(down, algorithm_, 0);
    steps_.append(down.take());
  }

  void bcast() {
    if (algorithm_ != Algorithm::scatter_allgather && algorithm_ != Algorithm::scatter_ring) {
      return add_tree(steps_, algorithm_, call_.bytes);
    }
    const std::uint64_t block = (call_.bytes + n_members() - 1) / n_members();
    steps_.binomial_down(block, true);
    if (algorithm_ == Algorithm::scatter_allgather) return steps_.recursive_doubling(block, true);
    steps_.ring(block, call_.n - 1);
  }

  void reduce_scatter(std::uint64_t vector) {
    const std::uint64_t block = vector / n_members();
    if (algorithm_ == Algorithm::ring) return steps_.ring(block, call_.n - 1);
    if (algorithm_ == Algorithm::pairwise) return steps_.all_pairs(block, true);
    if (algorithm_ == Algorithm::recursive_doubling) return steps_.recursive_doubling(vector, false);
    if (algorithm_ == Algorithm::recursive_halving) return steps_.recursive_halving(vector, false);
    if (algorithm_ == Algorithm::butterfly) return steps_.recursive_halving(vector, true);
    then(Collective::reduce, vector);
    then(Collective::scatter, block);
  }

  const CollectiveCall& call_;
  MpiLibrary library_;
  Algorithm algorithm_;
  Algorithms steps_;
};

}  // namespace

std::optional<Collective> collective_named(std::string_view mpi_call) {
  if (!mpi_call.starts_with("MPI_")) return std::nullopt;
  std::string name(mpi_call.substr(4));
  if (name.ends_with("_c")) name.resize(name.size() - 2);
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (name.starts_with("neighbor_") || name.starts_with("ineighbor_")) return Collective::neighbors;
  const std::optional<Collective> found = exact_name(name);
  if (found || !name.starts_with("i")) return found;
  return exact_name(std::string_view(name).substr(1));
}

std::vector<Transfer> transfers_of(const CollectiveCall& call, MpiLibrary library) {
  if (call.n < 2) return {};
  return Expansion(call, library).transfers();
}

}  // namespace corewise
