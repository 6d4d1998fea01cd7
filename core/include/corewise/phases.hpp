/// Phases: the stretches of a job whose ranks talk to others, or in other shares, than before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/traffic.hpp"

namespace corewise {

/// Windows first..last, and which pattern they have: stretches with the same number talk alike.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  std::int32_t pattern = 0;
};

/// Two patterns are the same up to this distance.
inline constexpr double kSamePattern = 0.25;
/// Of all bytes, a phase has this share at least.
inline constexpr double kSmallestPhase = 0.01;
/// Phases of a profile at most.
inline constexpr std::size_t kMostPhases = 16;

/// How far the patterns of two matrices of the same ranks are apart: half the sum of |a_ij / a - b_ij / b|
/// over all pairs of different ranks, where a and b are all bytes of each (messages where neither has any): 0
/// for equal shares, 1 if no pair talks in both.
[[nodiscard]] double pattern_distance(const CommMatrix& a, const CommMatrix& b);

/// Cuts consecutive windows into stretches of different patterns, which cover all windows in order.
///
/// A window continues with the stretch before it while their distance is at most kSamePattern; then the two
/// nearest patterns become one while they are no further apart, and a stretch that is too small, or a
/// single window between two others that is like neither, joins the nearer neighbour. The same windows give
/// the same stretches. Windows without messages belong to the stretch before them.
/// Sources: Sherwood, Sair, Calder, "Phase tracking and prediction", ISCA 2003 (a threshold on the Manhattan
/// distance of normalised vectors, one for each interval of time); merging the nearest pair by the sums of
/// its members is centroid clustering (Sokal and Michener 1958). What is small or a passage is our addition.
[[nodiscard]] std::vector<Stretch> find_stretches(std::span<const CommMatrix> windows);

/// The sum of some matrices of the same ranks. @pre at least one
[[nodiscard]] CommMatrix sum_of(std::span<const CommMatrix> matrices);

}  // namespace corewise
