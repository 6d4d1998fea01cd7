/// StepTimes: distinct steps with their loads and latencies.
#include "corewise/step_times.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "checked.hpp"
#include "estimate/figure_ends.hpp"
#include "estimate/link_paths.hpp"
#include "estimate/message_steps.hpp"

namespace corewise {
namespace {

/// Messages of one pair and size in a step.
using Content = std::vector<std::tuple<std::int32_t, std::int32_t, std::uint64_t>>;  // src, dst, bytes

/// A step, and how often it comes.
struct DistinctStep {
  std::vector<Transfer> transfers;
  std::uint64_t repeat = 0;
};

std::vector<DistinctStep> distinct_steps(const Schedule& schedule, std::uint64_t& n_steps) {
  std::map<Content, std::size_t> known;
  std::vector<DistinctStep> distinct;
  for (std::vector<Transfer>& step : steps_of(schedule)) {
    if (step.empty()) continue;
    Content content;
    for (const Transfer& transfer : step) content.emplace_back(transfer.src, transfer.dst, transfer.bytes);
    std::ranges::sort(content);
    const auto [at, is_new] = known.try_emplace(std::move(content), distinct.size());
    if (is_new) distinct.push_back({std::move(step), 0});
    ++distinct[at->second].repeat;
    ++n_steps;
  }
  return distinct;
}

}  // namespace

/// Steps and the links of the machine; loads are scratch memory, all 0 between two steps.
struct StepTimes::State {
  const Machine& machine;
  std::int32_t n_ranks;
  std::vector<LinkFigures> figures;
  LinkPaths paths;
  std::uint64_t n_steps = 0;
  std::vector<DistinctStep> steps;
  std::vector<double> load;  ///< [link] bytes, and as many more as pass while cores copy
  std::vector<std::int32_t> links, loaded;

  State(const Schedule& schedule, const Machine& on)
      : machine(on),
        n_ranks(schedule.n_ranks),
        figures(figures_of(on)),
        paths(on, figures),
        steps(distinct_steps(schedule, n_steps)),
        load(paths.capacities().size()) {}

  double step_s(const DistinctStep& step, const Placement& placement) {
    double latency_s = 0;
    for (const Transfer& transfer : step.transfers) {
      latency_s = std::max(latency_s, add(transfer, placement));
    }
    double busiest_s = 0;
    for (const std::int32_t link : loaded) {
      double& own = load[static_cast<std::size_t>(link)];
      busiest_s = std::max(busiest_s, own / paths.capacities()[static_cast<std::size_t>(link)]);
      own = 0;
    }
    loaded.clear();
    return busiest_s + latency_s;
  }

  /// Loads the links of a message; returns what it takes beside its bytes.
  double add(const Transfer& transfer, const Placement& placement) {
    const CoreIndex from = placement.core(Rank{transfer.src});
    const CoreIndex to = placement.core(Rank{transfer.dst});
    paths.path(from, to, links);
    const auto bytes = static_cast<double>(transfer.bytes);
    for (const std::int32_t link : links) {
      const auto at = static_cast<std::size_t>(link);
      if (load[at] == 0) loaded.push_back(link);
      load[at] += bytes;
    }
    const int level = std::max(1, machine.meeting_level(from, to));
    const Beside beside = paths.beside(links, figures[static_cast<std::size_t>(level - 1)], bytes);
    const std::span<const std::int32_t> copying = paths.copying(links);
    if (copying.empty()) return beside.all_s();
    for (const std::int32_t link : copying) {
      const auto at = static_cast<std::size_t>(link);
      load[at] += beside.copying_s * paths.capacities()[at];
    }
    return beside.latency_s;
  }
};

StepTimes::StepTimes(const Schedule& schedule, const Machine& machine)
    : state_(std::make_unique<State>(schedule, machine)) {}
StepTimes::~StepTimes() = default;
StepTimes::StepTimes(StepTimes&&) noexcept = default;
StepTimes& StepTimes::operator=(StepTimes&&) noexcept = default;

double StepTimes::seconds(const Placement& placement) {
  require_same_ranks(state_->n_ranks, placement.n_ranks());
  double total_s = 0;
  for (const DistinctStep& step : state_->steps) {
    total_s += static_cast<double>(step.repeat) * state_->step_s(step, placement);
  }
  return total_s;
}

std::size_t StepTimes::n_distinct() const { return state_->steps.size(); }
std::uint64_t StepTimes::n_steps() const { return state_->n_steps; }

}  // namespace corewise
