/// Messages of the algorithms of collectives, one function for each; members are numbered from 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/schedule.hpp"

namespace corewise {

/// Steps of some messages; each function below appends its own.
///
/// Sources: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005) (binomial trees, recursive doubling and halving,
/// Rabenseifner's algorithm, Bruck's, rings); Open MPI's ompi/mca/coll/base (binary trees, chains, neighbour
/// exchange), from where the order of steps is. Where the number of members is no power of two, those beyond
/// one hand their part to a neighbour and get the result from it.
class Algorithms {
 public:
  Algorithms(std::int32_t n, std::int32_t root) : n_(n), root_(root) {}

  // A tree: `bytes` from the root down, or blocks of `bytes` for all members below (`scatters`).
  void linear_down(std::uint64_t bytes);
  void chains_down(std::int32_t n_chains, std::uint64_t bytes);
  void binary_tree_down(std::uint64_t bytes);
  void binomial_down(std::uint64_t bytes, bool scatters);
  void binomial_spread_down(std::uint64_t bytes);
  void knomial_down(std::uint64_t bytes);
  /// The messages from step `first` on backwards: up to the root.
  void reverse_from(std::int32_t first);

  // All get all. `bytes` is the vector's size in allreduce, a member's block in the others.
  void recursive_doubling(std::uint64_t bytes, bool grows);
  void ring(std::uint64_t bytes, std::int32_t n_steps);
  void bruck_allgather(std::uint64_t block);
  void bruck_alltoall(std::uint64_t block);
  void neighbor_exchange(std::uint64_t block);
  /// `vector` is reduced, each member getting a part of it; `near_first`: partners next to each other swap
  /// the greatest parts, else those farthest apart.
  void recursive_halving(std::uint64_t vector, bool near_first);
  void rabenseifner_allreduce(std::uint64_t vector);
  void rabenseifner_reduce(std::uint64_t vector);
  void dissemination();

  // Every pair by itself: at once, or in step k members that are k apart.
  void all_pairs(std::uint64_t block, bool in_steps);
  void pairs(std::span<const Transfer> wanted, bool in_steps);

  /// Steps from now on follow all existing ones.
  [[nodiscard]] std::int32_t next_step() const { return next_; }
  [[nodiscard]] std::vector<Transfer> take() { return std::move(transfers_); }
  void append(const std::vector<Transfer>& others);

 private:
  void add(std::int32_t step, std::int32_t src, std::int32_t dst, std::uint64_t bytes);
  void add_from_root(std::int32_t step, std::int32_t parent, std::int32_t child, std::uint64_t bytes);
  void fold(std::uint64_t bytes);
  void unfold(std::uint64_t bytes);
  [[nodiscard]] std::int32_t n_doubling() const;
  /// The i-th of those that take part after fold().
  [[nodiscard]] std::int32_t unfolded(std::int32_t i) const;

  std::int32_t n_;
  std::int32_t root_;
  std::int32_t next_ = 0;
  std::vector<Transfer> transfers_;
};

}  // namespace corewise
