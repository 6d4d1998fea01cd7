/// Advice: does placement matter for this traffic on this machine, by how much, how sure, and why.
#pragma once

#include <optional>
#include <string>

#include "corewise/link_figures.hpp"
#include "corewise/objective.hpp"

namespace corewise {

/// Whether a good and a bad placement differ noticeably. A default that is already the best still matters: it
/// can be lost; the gain over it is 0 then.
enum class Matters { yes, no, unsure };

/// What the best placement is expected to gain; below 0 if the default is expected to be faster.
struct GainInterval {
  double low = 0;  ///< gain = 1 - t_best / t_default, as a fraction
  double expected = 0;
  double high = 0;
};

/// The placements that an Advice compares, over the same ranks.
struct Candidates {
  const Placement& default_placement;  ///< what the launcher did, or block order
  const Placement& best;               ///< the best placement that was found
  const Placement& worst;              ///< the worst one that was found: what there is to lose
  bool best_is_proven = false;         ///< `best` is shown to take least time (or hop-bytes, see advise())
};

/// A run that was timed, s, means over its ranks.
struct MeasuredTimes {
  double run_s = 0;  ///< above 0
  double mpi_s = 0;  ///< spent inside MPI, transfer and waiting alike
};

/// How far predicted gains were off, of placements that were run: what intervals of gains rest on.
///
/// Of two placements whose times are predicted to have the ratio r the measured ones have r^k, so that
/// neither r nor r^k is ever below 0, and 1 - r^k says the same of a gain as of the loss of the way back. Of
/// placements that are predicted alike, r is 1 whatever k is: they differ by what the prediction doesn't see.
struct GainErrors {
  Bounds exponent{1, 1};  ///< k lies between these, for placements told apart; low <= 1 <= high
  double alike = 1;       ///< times of placements predicted alike differ by up to this factor; at least 1
};

/// The answer, how sure it is, and what it rests on.
struct Advice {
  Matters matters = Matters::unsure;
  GainInterval gain;                     ///< of the run where it was timed, else of communication
  bool gain_is_of_run = false;           ///< which of both
  std::optional<double> transfer_share;  ///< of a timed run: what transfer explains of it, 0 to 1
  std::optional<double> ratio;           ///< inter-node over intra-node bytes of the default placement
  std::string because;                   ///< one sentence
  bool offer_spread = false;  ///< the network is faster than shared memory at the message sizes that count
};

/// Says whether placement matters: by the SMP-CMP paper's guideline (section V), the matrix and the machine.
///
/// The candidates are compared by `time`, or by hop-bytes if the machine has no figures. The interval is
/// wider if a figure of the machine is assumed or has wide bounds. If all cores share the lowest level,
/// placement cannot help.
/// @param errors  prediction errors that the interval of the gain is computed from; it has their confidence.
/// The gain of a placement over itself is 0 in any case.
/// @param times  times of the run, if it was timed. The gain is then a share of the whole run. Only time that
/// the predicted communication explains can be gained: not the rest of the time inside MPI.
/// @throws Error(size_mismatch) when traffic and a placement differ in n.
[[nodiscard]] Advice advise(const Traffic& traffic, const Machine& machine, const Candidates& candidates,
                            const std::optional<MeasuredTimes>& times, const GainErrors& errors);

}  // namespace corewise
