/// Phases: divides a job's time into stretches with different communication patterns. A pattern is the share
/// of each pair of ranks in the bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/traffic.hpp"

namespace corewise {

/// Windows first..last. Stretches with the same number `pattern` have the same pattern.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  std::int32_t pattern = 0;
};

/// Two patterns count as the same up to this distance.
inline constexpr double kSamePattern = 0.25;
/// Least share of a phase in all bytes.
inline constexpr double kSmallestPhase = 0.01;
/// Greatest number of phases of a profile.
inline constexpr std::size_t kMostPhases = 16;

/// Distance of the patterns of two matrices of the same ranks: half the sum of |a_ij / a - b_ij / b| over all
/// pairs of different ranks, where a and b are the total bytes. If neither matrix has bytes, messages count
/// instead. 0 for equal shares, 1 if no pair communicates in both.
[[nodiscard]] double pattern_distance(const CommMatrix& a, const CommMatrix& b);

/// Divides consecutive windows into stretches of different patterns.
///
/// 1. A window joins the stretch before it if their distance is at most kSamePattern, or if the window has no
///    messages.
/// 2. A single window between two longer stretches joins the nearer of them: it contains the transition.
/// 3. Centroid clustering finds stretches of the same pattern: the two nearest patterns are merged while
///    their distance is at most kSamePattern.
/// 4. A stretch below kSmallestPhase joins its nearer neighbour, as does the smallest stretch while there are
///    more than kMostPhases.
///
/// Sources: Sherwood, Sair, Calder, "Phase tracking and prediction", ISCA 2003 (1: a threshold on the
/// Manhattan distance of normalised vectors); Sokal and Michener 1958 (3). Steps 2 and 4 are our additions.
[[nodiscard]] std::vector<Stretch> find_stretches(std::span<const CommMatrix> windows);

/// The sum of matrices of the same ranks. @pre at least one matrix
[[nodiscard]] CommMatrix sum_of(std::span<const CommMatrix> matrices);

}  // namespace corewise
