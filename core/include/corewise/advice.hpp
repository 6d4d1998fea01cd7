/// Advice: does placement matter for this traffic on this machine, by how much, how sure, and why.
#pragma once

#include <optional>
#include <string>

#include "corewise/solver.hpp"

namespace corewise {

/// Whether a good and a bad placement differ noticeably. A default that is already the best still matters: it
/// can be lost; the gain over it is 0 then.
enum class Matters { yes, no, unsure };

/// What the best placement is expected to gain.
struct GainInterval {
  double low = 0;  ///< gain = 1 - t_best / t_default, as a fraction
  double expected = 0;
  double high = 0;
};

/// The answer, how sure it is, and what it rests on.
struct Advice {
  Matters matters = Matters::unsure;
  GainInterval gain;
  std::optional<double> ratio;  ///< inter-node over intra-node bytes of the default placement
  std::string because;          ///< one sentence
  Solution best;
  Solution worst;
  bool offer_spread = false;  ///< the network is faster than shared memory at the message sizes that count
};

/// The SMP-CMP paper's guideline (section V), widened by what the matrix and the machine tell.
/// @param default_placement  what the launcher did, or block order.
/// @param comm_share  communication time over run time where it was measured; scales the gain to the whole
/// run. Best and worst are the solver auto's, for `time` (hop-bytes where the machine has no figures); ranks
/// that outnumber the cores share them evenly. The interval is wider where a figure of the machine is
/// assumed.
/// @throws Error(size_mismatch) when traffic and placement differ in n.
[[nodiscard]] Advice advise(const Traffic& traffic, const Machine& machine,
                            const Placement& default_placement, std::optional<double> comm_share,
                            const SolverOptions& options);

}  // namespace corewise
