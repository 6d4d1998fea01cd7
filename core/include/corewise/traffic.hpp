/// CommMatrix: who sends how much to whom, sparse. Traffic: the phases of a job.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
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

/// Sparse n x n matrix, [src, dst], bytes and messages. n is the communicator's size: silent ranks count.
/// Self-messages are kept on the diagonal; objectives ignore them.
class CommMatrix {
 public:
  CommMatrix() = default;
  /// Entries in any order; those of one pair are added up.
  /// @throws Error(bad_input) for a rank outside 0..n_ranks-1, or a total above 2^62 bytes or messages.
  [[nodiscard]] static CommMatrix from_entries(std::int32_t n_ranks, std::vector<MatrixEntry> entries);

  [[nodiscard]] std::int32_t n_ranks() const { return static_cast<std::int32_t>(row_start_.size()) - 1; }
  /// Destinations of `src`, ascending.
  [[nodiscard]] std::span<const PairTraffic> row(Rank src) const {
    return std::span(entries_).subspan(row_start_[raw(src)], row_start_[raw(src) + 1] - row_start_[raw(src)]);
  }
  [[nodiscard]] std::size_t n_entries() const { return entries_.size(); }

  /// Totals over all pairs of different ranks, and the diagonal apart.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t messages() const { return messages_; }
  [[nodiscard]] std::uint64_t self_bytes() const { return self_bytes_; }
  friend bool operator==(const CommMatrix&, const CommMatrix&) = default;

 private:
  friend struct NounMembers;  // of the bindings: pickles matrices

  std::vector<std::size_t> row_start_{0};
  std::vector<PairTraffic> entries_;
  std::uint64_t bytes_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t self_bytes_ = 0;

  auto members() { return std::tie(row_start_, entries_, bytes_, messages_, self_bytes_); }
};

/// A matrix seen without direction: for each rank, its partners with the bytes and messages both ways
/// together, ascending, self-messages left out. Each pair is in both rows. Every objective of corewise is
/// symmetric, so solvers work on this.
class PairGraph {
 public:
  PairGraph() = default;
  explicit PairGraph(const CommMatrix& matrix);
  [[nodiscard]] std::int32_t n_ranks() const { return static_cast<std::int32_t>(row_start_.size()) - 1; }
  [[nodiscard]] std::span<const PairTraffic> partners(Rank rank) const {
    return std::span(entries_).subspan(row_start_[raw(rank)],
                                       row_start_[raw(rank) + 1] - row_start_[raw(rank)]);
  }
  /// Pairs that talk; half of the stored entries.
  [[nodiscard]] std::size_t n_pairs() const { return entries_.size() / 2; }

 private:
  std::vector<std::size_t> row_start_{0};
  std::vector<PairTraffic> entries_;
};

/// A stretch of a job's time, s from the begin of its first rank.
struct TimeSpan {
  double begin_s = 0;
  double end_s = 0;
  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

/// One phase: `repeat` times the traffic of `matrix`.
struct Phase {
  std::uint64_t repeat = 1;
  CommMatrix matrix;
  std::optional<TimeSpan> when{};  ///< where it is a stretch of a profile
  std::int32_t pattern = 0;        ///< phases of one profile with the same number talk alike
  friend bool operator==(const Phase&, const Phase&) = default;
};

/// The bytes that travel in large messages, where sizes are known: size-major sorts by them.
struct LargeMessages {
  std::uint64_t threshold_bytes = 0;
  CommMatrix matrix;
  friend bool operator==(const LargeMessages&, const LargeMessages&) = default;
};

/// The phases of a job, in order; a plain matrix is one phase. All phases have the same n_ranks.
struct Traffic {
  std::vector<Phase> phases;
  std::optional<LargeMessages> large;

  [[nodiscard]] static Traffic of(CommMatrix matrix);
  [[nodiscard]] std::int32_t n_ranks() const { return phases.empty() ? 0 : phases.front().matrix.n_ranks(); }
  /// All phases in one matrix, repeats counted.
  [[nodiscard]] CommMatrix folded() const;
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Bytes and messages between nodes over those within nodes, for a given rank -> node assignment.
/// Self-messages count as intra-node here, and only here (SMP-CMP paper, Table I). Absent if nothing is
/// intra-node.
struct TrafficRatio {
  std::optional<double> bytes;
  std::optional<double> messages;
};

/// The ratio of one matrix. @throws Error(size_mismatch) unless node_of_rank has a node for every rank.
[[nodiscard]] TrafficRatio inter_over_intra(const CommMatrix& matrix,
                                            std::span<const NodeIndex> node_of_rank);

}  // namespace corewise
