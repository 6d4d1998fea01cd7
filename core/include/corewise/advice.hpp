/// Advice: whether placement matters for given traffic on a machine, by how much, how certainly, and why.
#pragma once

#include <optional>
#include <string>

#include "corewise/link_figures.hpp"
#include "corewise/objective.hpp"
#include "corewise/stop.hpp"

namespace corewise {

/// Whether a good and a bad placement differ noticeably. The answer can be yes with a gain of 0: the default
/// is already the best placement, and a worse one would cost time.
enum class Matters { yes, no, unsure };

/// Expected gain = 1 - t_best / t_default, as a fraction; below 0 if the default is expected to be faster.
struct GainInterval {
  double low = 0;
  double expected = 0;
  double high = 0;
};

/// The placements that an Advice compares, over the same ranks.
struct Candidates {
  const Placement& default_placement;  ///< the launcher's placement, or block order
  const Placement& best;               ///< the best placement found
  const Placement& worst;              ///< the worst placement found: shows what a bad choice costs
  bool best_is_proven = false;         ///< no placement takes less time (or hop-bytes, see advise())
};

/// Times of a run in s, means over its ranks.
struct MeasuredTimes {
  double run_s = 0;  ///< above 0
  double mpi_s = 0;  ///< inside MPI calls, transfer and waiting together
};

/// Errors of earlier predictions, from placements that were run. They give a predicted gain its interval.
///
/// Factors: the measured ratio of the times of two placements over the predicted one, with the placement that
/// is predicted to take longer in the numerator. Errors don't grow with the ratio
/// (docs/evidence/predictions.md).
struct GainErrors {
  double low = 1;   ///< above 0, at most 1
  double high = 1;  ///< at least 1
};

/// The answer, its certainty and its reasons.
struct Advice {
  Matters matters = Matters::unsure;
  GainInterval gain;                     ///< of the run's time if it was timed, else of communication time
  bool gain_is_of_run = false;           ///< true: `gain` is of the run's time
  std::optional<double> transfer_share;  ///< share of a timed run that predicted transfer explains, 0 to 1
  std::optional<double> ratio;           ///< inter-node over intra-node bytes of the default placement
  std::string because;                   ///< one sentence
  bool offer_spread = false;             ///< suggest `spread`: these messages are faster between nodes
};

/// Says whether placement matters, by the SMP-CMP paper's guideline (section V), the traffic and the machine.
///
/// The candidates are compared by `time`, or by hop-bytes if the machine has no figures. The interval is
/// wider if a figure of the machine is assumed or has wide bounds. If all cores share the lowest level,
/// placement cannot help.
/// @param times  times of the run, if it was timed. The gain is then a share of the whole run. Only the part
/// of the run that predicted transfer explains can be gained, not the rest of the time inside MPI.
/// @param errors  prediction errors; the interval of the gain follows from them and has their confidence. The
/// gain of a placement over itself is always 0.
/// @throws Error(size_mismatch) when traffic and a placement differ in n; Stopped once `stop` was requested.
[[nodiscard]] Advice advise(const Traffic& traffic, const Machine& machine, const Candidates& candidates,
                            const std::optional<MeasuredTimes>& times, const GainErrors& errors,
                            const std::stop_token& stop = {});

}  // namespace corewise
