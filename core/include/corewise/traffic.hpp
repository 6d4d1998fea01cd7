/// CommMatrix: a sparse communication matrix. PairGraph: one without direction. Traffic: a job's phases.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "corewise/index.hpp"

namespace corewise {

/// Bytes and messages from one rank to another.
struct PairTraffic {
  Rank peer;  ///< destination in a row of CommMatrix; the other end in a row of PairGraph
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0;
  friend bool operator==(const PairTraffic&, const PairTraffic&) = default;
};

/// Bytes and messages of one ordered pair.
struct MatrixEntry {
  Rank src;
  Rank dst;
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0;
};

/// Sparse n x n matrix, [src, dst], of bytes and messages. n is the size of the communicator, including ranks
/// without messages. The diagonal has the messages of a rank to itself; objectives ignore it.
class CommMatrix {
 public:
  CommMatrix() = default;
  /// @param entries  in any order; entries of the same pair are added up.
  /// @throws Error(bad_input) for a rank outside 0..n_ranks-1, or a total above 2^62 bytes or messages.
  [[nodiscard]] static CommMatrix from_entries(std::int32_t n_ranks, std::vector<MatrixEntry> entries);

  [[nodiscard]] std::int32_t n_ranks() const { return static_cast<std::int32_t>(row_start_.size()) - 1; }
  /// Entries of `src`, by ascending destination.
  [[nodiscard]] std::span<const PairTraffic> row(Rank src) const {
    return std::span(entries_).subspan(row_start_[raw(src)], row_start_[raw(src) + 1] - row_start_[raw(src)]);
  }
  [[nodiscard]] std::size_t n_entries() const { return entries_.size(); }

  /// Totals over all pairs of different ranks; self_bytes() is the diagonal's total.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t messages() const { return messages_; }
  [[nodiscard]] std::uint64_t self_bytes() const { return self_bytes_; }
  friend bool operator==(const CommMatrix&, const CommMatrix&) = default;

 private:
  std::vector<std::size_t> row_start_{0};
  std::vector<PairTraffic> entries_;
  std::uint64_t bytes_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t self_bytes_ = 0;
};

/// A communication matrix without direction and diagonal: bytes and messages of both directions are added up,
/// and each pair is in the rows of both ranks. Solvers use this graph, because every objective is symmetric.
class PairGraph {
 public:
  PairGraph() = default;
  explicit PairGraph(const CommMatrix& matrix);
  [[nodiscard]] std::int32_t n_ranks() const { return static_cast<std::int32_t>(row_start_.size()) - 1; }
  /// Partners of `rank`, ascending.
  [[nodiscard]] std::span<const PairTraffic> partners(Rank rank) const {
    return std::span(entries_).subspan(row_start_[raw(rank)],
                                       row_start_[raw(rank) + 1] - row_start_[raw(rank)]);
  }
  /// Number of pairs that communicate.
  [[nodiscard]] std::size_t n_pairs() const { return entries_.size() / 2; }

 private:
  std::vector<std::size_t> row_start_{0};
  std::vector<PairTraffic> entries_;
};

/// A part of a job's time, in s since the start of its first rank.
struct TimeSpan {
  double begin_s = 0;
  double end_s = 0;
  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

/// One phase: `repeat` times the traffic of `matrix`.
struct Phase {
  std::uint64_t repeat = 1;
  CommMatrix matrix;
  std::optional<TimeSpan> when{};  ///< when it took place, if it comes from a profile
  std::int32_t pattern = 0;        ///< phases of a profile with the same number have the same pattern
  friend bool operator==(const Phase&, const Phase&) = default;
};

/// Traffic in messages of at least `threshold_bytes`. Solver `size-major` sorts by it.
struct LargeMessages {
  std::uint64_t threshold_bytes = 0;
  CommMatrix matrix;
  friend bool operator==(const LargeMessages&, const LargeMessages&) = default;
};

/// The phases of a job, in order; a plain matrix is one phase. All phases have the same n_ranks.
struct Traffic {
  std::vector<Phase> phases;
  std::optional<LargeMessages> large;  ///< empty if message sizes are unknown

  [[nodiscard]] static Traffic of(CommMatrix matrix);
  [[nodiscard]] std::int32_t n_ranks() const { return phases.empty() ? 0 : phases.front().matrix.n_ranks(); }
  /// The sum of all phases, each times its repeat.
  [[nodiscard]] CommMatrix folded() const;
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Bytes and messages between nodes divided by those within nodes. Self-messages count as within nodes, as in
/// Table I of the SMP-CMP paper. Empty if nothing is sent within nodes.
struct TrafficRatio {
  std::optional<double> bytes;
  std::optional<double> messages;
};

/// The ratios for a matrix and a node for each rank. @throws Error(size_mismatch) if their sizes differ.
[[nodiscard]] TrafficRatio inter_over_intra(const CommMatrix& matrix,
                                            std::span<const NodeIndex> node_of_rank);

}  // namespace corewise
