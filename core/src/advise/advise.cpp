/// Advice: combines the SMP-CMP paper's guideline with predicted times of the best and the worst placement.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stop_token>
#include <vector>

#include "corewise/advice.hpp"
#include "corewise/error.hpp"
#include "corewise/stop.hpp"
#include "objectives/time.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// Zhang, Yuan, Srinivasan, section V.C: limits of inter-node over intra-node bytes.
constexpr double kNoticeableBelow = 0.5;
constexpr double kNegligibleAbove = 0.8;
/// The same paper, section V.B, Figure 9: it claims nothing for smaller messages.
constexpr double kClaimedFromBytes = 32 * 1024;
/// Our choice: from kWorthwhile on, a gain justifies a new command line; below kUnnoticed, nobody notices it.
constexpr double kWorthwhile = 0.05;
constexpr double kUnnoticed = 0.02;
/// @param logarithms  [0] of the own figures, then of pairs of ends.
double moved_by(const std::vector<double>& logarithms) {
  double squares = 0;
  for (std::size_t i = 1; i + 1 < logarithms.size(); i += 2) {
    const double move =
        std::max(std::abs(logarithms[i] - logarithms[0]), std::abs(logarithms[i + 1] - logarithms[0]));
    if (std::isfinite(move)) squares += move * move;  // a time of 0 has no logarithm and no uncertainty
  }
  return std::sqrt(squares);
}

/// The change of the logarithm of a predicted time, or of the ratio of two, when a level's figures are set to
/// their bounds. Each level is measured separately, so the errors of levels are independent and their squares
/// add up. Zero if no figure has bounds. Traffic and machine must outlive this object.
class FigureDoubt {
 public:
  FigureDoubt(const Traffic& traffic, const Machine& machine, const std::stop_token& stop);

  /// Predicted times of a placement, s: with the machine's own figures, then for each level with bounds with
  /// the slow and with the fast end of that level. On a machine without figures, its hop-bytes alone.
  /// @throws Stopped once a stop was requested.
  [[nodiscard]] std::vector<double> values(const Placement& placement) const;
  /// For the time of one placement, from its values().
  [[nodiscard]] static double of(const std::vector<double>& values);
  /// For the time of `a` over the time of `b`, from their values().
  [[nodiscard]] static double of_ratio(const std::vector<double>& a, const std::vector<double>& b);

 private:
  void add_level(std::size_t level, const LinkFigures& link);

  const Traffic& traffic_;
  const Machine& machine_;
  const std::stop_token& stop_;
  std::vector<LinkCosts> costs_;
};

FigureDoubt::FigureDoubt(const Traffic& traffic, const Machine& machine, const std::stop_token& stop)
    : traffic_(traffic), machine_(machine), stop_(stop) {
  if (!machine.has_figures()) return;
  costs_.push_back(costs_of(machine));
  for (int level = 1; level <= machine.n_levels(); ++level) {
    add_level(static_cast<std::size_t>(level - 1), machine.levels()[level - 1].link);
  }
}

void FigureDoubt::add_level(std::size_t level, const LinkFigures& link) {
  if (!link.latency_bounds_s && !link.bandwidth_bounds_bytes_per_s) return;
  const LinkCost own = costs_.front()[level];
  const Bounds latency = link.latency_bounds_s.value_or(Bounds{own.latency_s, own.latency_s});
  const Bounds bandwidth = link.bandwidth_bounds_bytes_per_s.value_or(
      Bounds{own.bandwidth_bytes_per_s, own.bandwidth_bytes_per_s});
  LinkCosts slow = costs_.front(), fast = slow;
  slow[level] = {latency.high, bandwidth.low};
  fast[level] = {latency.low, bandwidth.high};
  costs_.push_back(std::move(slow));
  costs_.push_back(std::move(fast));
}

std::vector<double> FigureDoubt::values(const Placement& placement) const {
  check_stop(stop_);
  if (costs_.empty()) return default_objective(machine_).evaluate(traffic_, machine_, placement).values;
  return times_with(traffic_, machine_, costs_, placement);
}

double FigureDoubt::of(const std::vector<double>& values) {
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  return moved_by(logarithms);
}

double FigureDoubt::of_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> logarithms;
  for (std::size_t i = 0; i < a.size(); ++i) logarithms.push_back(std::log(a[i]) - std::log(b[i]));
  return moved_by(logarithms);
}

/// The facts that a verdict uses.
struct Evidence {
  GainInterval gain;            ///< of the best placement over the default
  GainInterval stake;           ///< of the best or the default, whichever is better, over the worst
  double most_gain = 0;         ///< upper end of `gain` without GainErrors
  double most_stake = 0;        ///< upper end of `stake` without GainErrors
  std::optional<double> ratio;  ///< of the default; infinite if no bytes stay on a node
  double message_bytes = 0;     ///< size of the message that an average byte travels in
  double partners_per_rank = 0;
  double fewer_between_nodes = 0;  ///< share of the default's inter-node bytes that the best placement saves
  bool proven = false;
  bool has_figures = false;
  std::string no_choice;            ///< why all cores are equally near; empty if they are not
  std::optional<double> mpi_share;  ///< share of the timed run inside MPI
  double transfer_share = 1;        ///< TransferShare::expected
};

/// Share of a timed run that predicted transfer explains, low to high by the bounds of the machine's figures;
/// 1 if no run was timed.
struct TransferShare {
  double low = 1;
  double expected = 1;
  double high = 1;
};

/// Predicted times of two placements in s.
struct Compared {
  double t_other = 0;
  double t_base = 0;
  double doubt = 0;  ///< uncertainty of ln(t_other / t_base) from the bounds of the figures
};

struct Verdict {
  Matters matters;
  std::string because;
};

std::string decimal(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// With the minus sign of text.percent in Python.
std::string percent(double fraction) {
  const std::string size = decimal(std::abs(100 * fraction), 1);
  return concat(fraction < 0 && size != "0.0" ? "\u2212" : "", size, " %");
}

std::string interval_text(const GainInterval& interval) {
  return concat(percent(interval.expected), " (", percent(interval.low), " to ", percent(interval.high), ")");
}

/// The gain over the default or, if there is none, the loss that a bad placement would cause.
std::string gain_text(const Evidence& evidence) {
  const std::string of = evidence.mpi_share
                             ? concat("the run's time (", percent(*evidence.mpi_share), " of it inside MPI, ",
                                      percent(evidence.transfer_share), " explained by transfer)")
                             : "communication time";
  if (evidence.most_gain >= kUnnoticed) {
    return concat("the best placement is predicted to save ", interval_text(evidence.gain), " of ", of);
  }
  const char* none = evidence.proven ? "no placement" : "no placement found";
  return concat(none, " is predicted to beat the default, which saves ", interval_text(evidence.stake),
                " of ", of, " over the worst: keep it");
}

std::string no_stake_text(const Evidence& evidence) {
  if (evidence.mpi_share && evidence.transfer_share < *evidence.mpi_share) {
    return concat("ranks spend ", percent(*evidence.mpi_share),
                  " of the run inside MPI, but transfer explains only ", percent(evidence.transfer_share),
                  " of the run: the rest is waiting, which placement isn't predicted to shorten");
  }
  return "the best and the worst placement are predicted to take the same time";
}

/// The guideline's three cases of inter-node over intra-node bytes. Its "negligible" is contradicted if the
/// times nevertheless predict a worthwhile gain.
Verdict guideline(const Evidence& evidence) {
  const double ratio = evidence.ratio.value_or(0);
  if (ratio > kNegligibleAbove) {
    const bool contradicted = evidence.gain.expected >= kWorthwhile;
    return {contradicted ? Matters::unsure : Matters::no,
            concat("more than 0.8 times as many bytes cross the network as stay on nodes (ratio ",
                   std::isinf(ratio) ? "without end" : decimal(ratio, 2),
                   "), where the SMP-CMP paper's guideline calls placement negligible",
                   contradicted ? "; the model disagrees with it: " : ", and ", gain_text(evidence))};
  }
  if (ratio >= kNoticeableBelow) {
    return {
        Matters::unsure,
        concat("the ratio of inter-node to intra-node bytes, ", decimal(ratio, 2),
               ", lies between the 0.5 and the 0.8 of the SMP-CMP paper's guideline: placement is noticeable "
               "below, negligible above; a rank has ",
               decimal(evidence.partners_per_rank, 1), " partners, and fewer make it matter more")};
  }
  if (evidence.stake.low < kWorthwhile) {
    return {Matters::unsure, gain_text(evidence) + ", which the figures leave in doubt"};
  }
  const std::string where = ratio == 0
                                ? "all traffic stays on one node"
                                : concat("the ratio of inter-node to intra-node bytes, ", decimal(ratio, 2),
                                         ", is below the 0.5 of the SMP-CMP paper's guideline");
  return {Matters::yes, concat(where, ", and ", gain_text(evidence))};
}

Verdict verdict(const Evidence& evidence) {
  if (evidence.partners_per_rank == 0) return {Matters::no, "the ranks send each other no messages"};
  if (evidence.mpi_share && *evidence.mpi_share < kUnnoticed) {
    return {Matters::no, concat("communication takes only ", percent(*evidence.mpi_share), " of the run")};
  }
  if (!evidence.no_choice.empty()) {
    return {Matters::no, evidence.no_choice + ": placement cannot help"};
  }
  if (evidence.most_stake < kUnnoticed) return {Matters::no, no_stake_text(evidence)};
  if (!evidence.has_figures) {
    return {Matters::unsure,
            concat("the machine has no latencies and bandwidths: hop-bytes can fall by ",
                   percent(std::max(0.0, evidence.gain.expected)), ", the effect on time is not known")};
  }
  if (evidence.message_bytes < kClaimedFromBytes) {
    return {
        Matters::unsure,
        concat("an average byte travels in a message of ", decimal(evidence.message_bytes / 1024, 1),
               " KiB, and the SMP-CMP paper's guideline claims nothing below 32 KiB; ", gain_text(evidence))};
  }
  if (evidence.fewer_between_nodes >= kWorthwhile && evidence.gain.low >= kWorthwhile) {
    return {Matters::yes, concat("a better placement sends ", percent(evidence.fewer_between_nodes),
                                 " fewer bytes between nodes, and ", gain_text(evidence))};
  }
  return guideline(evidence);
}

std::vector<NodeIndex> nodes_of(const Machine& machine, const Placement& placement) {
  std::vector<NodeIndex> nodes;
  for (const CoreIndex core : placement.core_of_rank()) nodes.push_back(machine.node_of(core));
  return nodes;
}

double bytes_between_nodes(const CommMatrix& matrix, const Machine& machine, const Placement& placement) {
  double bytes = 0;
  for (std::int32_t src = 0; src < matrix.n_ranks(); ++src) {
    for (const PairTraffic& entry : matrix.row(Rank{src})) {
      const bool apart =
          machine.node_of(placement.core(Rank{src})) != machine.node_of(placement.core(entry.peer));
      if (apart) bytes += static_cast<double>(entry.bytes);
    }
  }
  return bytes;
}

/// The matrix doesn't contain the sizes of single messages: all messages of a pair are assumed equal.
double message_of_average_byte(const CommMatrix& matrix) {
  double weighted = 0;
  for (std::int32_t src = 0; src < matrix.n_ranks(); ++src) {
    for (const PairTraffic& entry : matrix.row(Rank{src})) {
      if (raw(entry.peer) == src || entry.messages == 0) continue;
      const auto bytes = static_cast<double>(entry.bytes);
      weighted += bytes * (bytes / static_cast<double>(entry.messages));
    }
  }
  return matrix.bytes() == 0 ? 0 : weighted / static_cast<double>(matrix.bytes());
}

/// A pair's average hides a mix of large and small messages. If the traffic counts large messages separately,
/// the answer is on the side of the threshold that has most bytes.
double message_bytes(const Traffic& traffic, const CommMatrix& folded) {
  const double average = message_of_average_byte(folded);
  if (!traffic.large) return average;
  const auto large = static_cast<double>(traffic.large->matrix.bytes());
  const auto threshold = static_cast<double>(traffic.large->threshold_bytes);
  return 2 * large >= static_cast<double>(folded.bytes()) ? std::max(average, threshold)
                                                          : std::min(average, threshold - 1);
}

/// Predicted times contain only transfer, no waiting inside MPI. If they exceed the time inside MPI, transfer
/// overlapped with computing or the prediction is too long, so the time inside MPI limits the share.
TransferShare transfer_share(double t_default, const MeasuredTimes* times, double doubt) {
  if (times == nullptr) return {};
  const auto share = [&](double transfer_s) { return std::min(transfer_s, times->mpi_s) / times->run_s; };
  const double factor = std::exp(doubt);
  return {share(t_default / factor), share(t_default), share(t_default * factor)};
}

/// 1 - r, where r is the ratio of the times of both runs. `share` is the part of the base run that the
/// predicted times explain. The uncertainties of ln r by the figures and by the errors are independent, so
/// their squares add up.
GainInterval gain_of(const Compared& times, const TransferShare& share, const GainErrors& errors) {
  if (times.t_base <= 0) return {};
  const auto run_ratio = [](double of, double ratio) { return 1 - of * (1 - ratio); };
  const double ratio = times.t_other / times.t_base, factor = std::exp(times.doubt);
  const double expected = run_ratio(share.expected, ratio);
  if (expected <= 0) return {1, 1, 1};  // a time of 0 stays 0 under every error, and has no logarithm
  const auto [least, most] =
      std::minmax({run_ratio(share.low, ratio * factor), run_ratio(share.high, ratio * factor),
                   run_ratio(share.low, ratio / factor), run_ratio(share.high, ratio / factor)});
  const double log_ratio = std::log(expected);
  const bool is_inverse = expected <= 1;  // of the ratio that errors are of, the longer over the shorter time
  const double falls = is_inverse ? std::log(errors.high) : -std::log(errors.low);
  const double grows = is_inverse ? -std::log(errors.low) : std::log(errors.high);
  const double below = std::hypot(log_ratio - std::log(least), falls);
  const double above = std::hypot(std::log(most) - log_ratio, grows);
  return {1 - std::exp(log_ratio + above), share.expected * (1 - ratio), 1 - std::exp(log_ratio - below)};
}

/// Our choice: if a figure of the machine is assumed, predictions may be off by the same factor once more.
/// For measured figures, FigureDoubt derives the uncertainty from their bounds.
GainErrors with_assumed(const GainErrors& errors, const Machine& machine) {
  const bool assumed =
      std::ranges::any_of(machine.levels(), [](const Level& level) { return level.link.assumed(); });
  return assumed ? GainErrors{errors.low * errors.low, errors.high * errors.high} : errors;
}

/// Why all cores are equally near to each other. Empty if some pairs of cores are nearer than others.
std::string no_choice_text(const Machine& machine) {
  if (machine.n_nodes() > 1) return "";
  if (machine.n_cores() == 1) return "the machine has one core";
  int level = 1;
  while (machine.n_groups(level) == machine.n_cores()) ++level;  // the last one joins all cores
  if (machine.n_groups(level) > 1) return "";
  return concat("all ", machine.n_cores(), " cores share one ", machine.levels()[level - 1].name,
                " and are equally near to each other");
}

/// The HPL paper (section 5) remarks that on a fast network critical partners belong on different nodes.
bool network_beats_memory(const Machine& machine, double size_bytes) {
  const int node = machine.node_level();
  if (node == 0 || node == machine.n_levels() || !machine.has_figures() || size_bytes <= 0) return false;
  const auto time_s = [&](int level) { return machine.levels()[level - 1].link.message_s(size_bytes); };
  return time_s(node + 1) < time_s(node);
}

Evidence gather(const Traffic& traffic, const Machine& machine, const Candidates& candidates,
                const Advice& advice) {
  const CommMatrix folded = traffic.folded();
  const double between = bytes_between_nodes(folded, machine, candidates.default_placement);
  const double between_best = bytes_between_nodes(folded, machine, candidates.best);
  Evidence evidence;
  evidence.no_choice = no_choice_text(machine);
  evidence.ratio = advice.ratio;
  if (!advice.ratio && between > 0) evidence.ratio = std::numeric_limits<double>::infinity();
  evidence.message_bytes = message_bytes(traffic, folded);
  evidence.partners_per_rank =
      2.0 * static_cast<double>(PairGraph(folded).n_pairs()) / std::max(1, traffic.n_ranks());
  evidence.fewer_between_nodes = between > 0 ? 1 - between_best / between : 0;
  evidence.proven = candidates.best_is_proven;
  evidence.has_figures = machine.has_figures();
  return evidence;
}

}  // namespace

Advice advise(const Traffic& traffic, const Machine& machine, const Candidates& candidates,
              const std::optional<MeasuredTimes>& times, const GainErrors& errors,
              const std::stop_token& stop) {
  const GainErrors doubt = with_assumed(errors, machine);
  const FigureDoubt of_figures(traffic, machine, stop);
  const std::vector<double> by_default = of_figures.values(candidates.default_placement);
  const std::vector<double> best = of_figures.values(candidates.best);
  const double t_default = by_default.front(), t_best = best.front();
  const MeasuredTimes* timed = machine.has_figures() && times ? &*times : nullptr;
  const TransferShare share = transfer_share(t_default, timed, FigureDoubt::of(by_default));
  Advice advice;
  advice.gain_is_of_run = timed != nullptr;
  if (timed != nullptr) advice.transfer_share = share.expected;
  check_stop(stop);
  advice.ratio = inter_over_intra(traffic.folded(), nodes_of(machine, candidates.default_placement)).bytes;
  check_stop(stop);
  Evidence evidence = gather(traffic, machine, candidates, advice);
  evidence.transfer_share = share.expected;
  if (times) evidence.mpi_share = std::min(1.0, times->mpi_s / times->run_s);
  if (evidence.no_choice.empty()) {
    const std::vector<double> worst = of_figures.values(candidates.worst);
    const bool gains = t_best < t_default;
    const Placement& kept = gains ? candidates.best : candidates.default_placement;
    const Compared gain{t_best, t_default, FigureDoubt::of_ratio(best, by_default)};
    const Compared stake{std::min(t_best, t_default), worst.front(),
                         FigureDoubt::of_ratio(gains ? best : by_default, worst)};
    const bool same = candidates.best == candidates.default_placement;
    const GainErrors none;
    advice.gain = evidence.gain = gain_of(gain, share, same ? none : doubt);
    evidence.stake = gain_of(stake, share, kept == candidates.worst ? none : doubt);
    evidence.most_gain = gain_of(gain, share, none).high;
    evidence.most_stake = gain_of(stake, share, none).high;
  }
  const Verdict found = verdict(evidence);
  advice.matters = found.matters;
  advice.because = found.because;
  advice.offer_spread = network_beats_memory(machine, evidence.message_bytes);
  return advice;
}

}  // namespace corewise
