/// Messages of the algorithms of collectives, one function per algorithm. Members are numbered from 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/schedule.hpp"

namespace corewise {

/// A list of messages with their steps. Each function for an algorithm appends its messages in new steps.
///
/// Sources: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005) for binomial trees, recursive doubling and halving,
/// Rabenseifner's algorithm, Bruck's algorithm and rings; Open MPI's ompi/mca/coll/base for binary trees,
/// chains, neighbour exchange and the order of steps. Some algorithms need a power of two of members.
/// Otherwise the surplus members send their data to a neighbour (fold) and get the result from it (unfold).
class Algorithms {
 public:
  Algorithms(std::int32_t n, std::int32_t root) : n_(n), root_(root) {}

  // Trees from the root down. A message has `bytes`; with `scatters`, `bytes` per member of the subtree.
  void linear_down(std::uint64_t bytes);
  void chains_down(std::int32_t n_chains, std::uint64_t bytes);
  void binary_tree_down(std::uint64_t bytes);
  void binomial_down(std::uint64_t bytes, bool scatters);
  void binomial_spread_down(std::uint64_t bytes);
  void knomial_down(std::uint64_t bytes);
  /// Reverses order and direction of all messages from step `first` on: towards the root.
  void reverse_from(std::int32_t first);

  // Every member gets data from all. `bytes` and `vector` are the size of the whole vector, `block` is that
  // of one member's block. With `grows` (allgather), `bytes` is a block, and messages grow from step to step.
  void recursive_doubling(std::uint64_t bytes, bool grows);
  void ring(std::uint64_t bytes, std::int32_t n_steps);
  void bruck_allgather(std::uint64_t block);
  void bruck_alltoall(std::uint64_t block);
  void neighbor_exchange(std::uint64_t block);
  /// Reduce-scatter. The greatest parts are exchanged first: between neighbours with `near_first`, else
  /// between the members farthest apart.
  void recursive_halving(std::uint64_t vector, bool near_first);
  void rabenseifner_allreduce(std::uint64_t vector);
  void rabenseifner_reduce(std::uint64_t vector);
  void dissemination();

  // One message per pair: all in one step, or with `in_steps` the pairs at distance k in step k.
  void all_pairs(std::uint64_t block, bool in_steps);
  void pairs(std::span<const Transfer> wanted, bool in_steps);

  /// The first step after all existing ones.
  [[nodiscard]] std::int32_t next_step() const { return next_; }
  [[nodiscard]] std::vector<Transfer> take() { return std::move(transfers_); }
  void append(const std::vector<Transfer>& others);

 private:
  void add(std::int32_t step, std::int32_t src, std::int32_t dst, std::uint64_t bytes);
  void add_from_root(std::int32_t step, std::int32_t parent, std::int32_t child, std::uint64_t bytes);
  void fold(std::uint64_t bytes);
  void unfold(std::uint64_t bytes);
  [[nodiscard]] std::int32_t n_doubling() const;
  /// The i-th of the n_doubling() members that take part after fold().
  [[nodiscard]] std::int32_t unfolded(std::int32_t i) const;
  /// Folds, then exchanges halves, quarters and so on of the vector: recursive_halving() before it unfolds.
  void halve(std::uint64_t vector, bool near_first);

  std::int32_t n_;
  std::int32_t root_;
  std::int32_t next_ = 0;
  std::vector<Transfer> transfers_;
};

}  // namespace corewise
