/// solve_least_regret(): every phase alone, then all of them against each other.
#include <algorithm>
#include <optional>
#include <utility>

#include "corewise/error.hpp"
#include "corewise/regret.hpp"
#include "solvers/exact/branch_and_bound.hpp"
#include "solvers/problem/by_effort.hpp"
#include "solvers/problem/needed_part.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/problem/slot_placement.hpp"
#include "solvers/regret/relative_loss.hpp"
#include "solvers/search/anneal.hpp"
#include "solvers/search/hop_cost.hpp"
#include "solvers/search/load_cost.hpp"
#include "solvers/search/regret_cost.hpp"
#include "solvers/search/score_search.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// Up to here all placements can be looked at, up to symmetry.
constexpr std::int32_t kEnumerableRanks = 8;

/// Ranks placed.
constexpr ByEffort<std::uint64_t> kEnumerationSteps{1'000'000, 30'000'000, 1'000'000'000};
/// Partners looked at, for each rank.
constexpr ByEffort<std::uint64_t> kAnnealingSteps{10'000, 200'000, 2'000'000};

/// Of the CPU time asked for, one search's share.
std::optional<double> share(std::optional<double> deadline_cpu_s, std::size_t n_searches) {
  if (!deadline_cpu_s) return std::nullopt;
  return *deadline_cpu_s / static_cast<double>(n_searches);
}

/// The greatest regret over the phases while ranks are put on cores one by one.
class PartialRegret : public PartialScore {
 public:
  /// @param own  [phase] values of its own best placement.
  PartialRegret(std::vector<std::unique_ptr<PartialScore>> phases, std::vector<Score> own, bool worst)
      : phases_(std::move(phases)), own_(std::move(own)), worst_(worst) {}

  void place(Rank rank, CoreIndex core) override {
    for (const auto& phase : phases_) phase->place(rank, core);
  }
  void take_back() override {
    for (const auto& phase : phases_) phase->take_back();
  }
  /// Where great scores are wanted, the less a phase reaches the more it loses.
  void bound(Side side, std::vector<double>& values) const override {
    const Side of_phases = (side == Side::upper) == worst_ ? Side::lower : Side::upper;
    values.clear();
    std::vector<double> of_phase;
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      phases_[i]->bound(of_phases, of_phase);
      values = std::max(values, relative_loss(of_phase, own_[i].values, worst_));
    }
  }

 private:
  std::vector<std::unique_ptr<PartialScore>> phases_;
  std::vector<Score> own_;
  bool worst_;
};

/// With the nodes that an objective keeps as constraints: each phase alone must keep the same ones.
PlacedProblem prepared(const MappingProblem& problem) {
  return with_places(with_nodes_kept(with_places(problem)));
}

class RegretSearch {
 public:
  RegretSearch(const MappingProblem& problem, std::string_view solver_name, const SolverOptions& options)
      : problem_(prepared(problem)),
        solver_name_(solver_name),
        options_{options.seed, options.effort,
                 share(options.deadline_cpu_s, problem.traffic.phases.size() + 2)},
        n_ranks_(problem.traffic.n_ranks()),
        best_(problem_.places.block) {
    for (const Phase& phase : problem.traffic.phases) traffic_of_phase_.push_back({{{1, phase.matrix}}, {}});
  }

  RegretSolution run() {
    solve_phases();
    best_regret_ = greatest_regret(best_);
    for (const Solution& own : own_) consider(first_cores(own.placement));
    const Solution together = solve(problem_, "auto", options_);
    cut_short_ |= together.cut_short;
    consider(first_cores(together.placement));
    if (n_ranks_ > 1 && problem_.machine.n_levels() > 0) {
      if (n_ranks_ <= kEnumerableRanks || solver_name_ == "exact") enumerate();
      if (!proven_) std::visit([this](const auto& form) { search_all(form); }, problem_.form);
    } else {
      proven_ = true;
    }
    return result();
  }

 private:
  [[nodiscard]] PlacedProblem alone(const Traffic& phase) const {
    return {{phase, problem_.machine, problem_.objective, problem_.worst, problem_.constraints},
            problem_.places,
            problem_.form};
  }
  [[nodiscard]] static Placement first_cores(const Placement& placement) {
    return Placement({placement.core_of_rank().begin(), placement.core_of_rank().end()});
  }
  [[nodiscard]] Score value_of(const Traffic& phase, const Placement& placement) const {
    return problem_.objective.evaluate(phase, problem_.machine, placement);
  }

  void solve_phases() {
    own_proven_ = true;
    for (const Traffic& phase : traffic_of_phase_) {
      own_.push_back(solve(alone(phase), "auto", options_));
      own_proven_ &= own_.back().proven;
      cut_short_ |= own_.back().cut_short;
    }
  }

  [[nodiscard]] Score greatest_regret(const Placement& placement) const {
    Score greatest;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const Score value = value_of(traffic_of_phase_[i], placement);
      greatest.values =
          std::max(greatest.values, relative_loss(value.values, own_[i].score.values, problem_.worst));
    }
    return greatest;
  }

  /// Takes a placement of less regret that keeps the constraints.
  void consider(Placement placement) {
    if (!keeps_constraints(problem_, placement)) return;
    const Score regret = greatest_regret(placement);
    if (regret >= best_regret_) return;
    best_regret_ = regret;
    best_ = std::move(placement);
  }

  void enumerate() {
    std::vector<std::unique_ptr<PartialScore>> phases;
    std::vector<Score> own;
    std::vector<Rank> ranks;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      phases.push_back(partial_score(problem_, traffic_of_phase_[i]));
      own.push_back(own_[i].score);
    }
    for (std::int32_t rank = 0; rank < n_ranks_; ++rank) ranks.push_back(Rank{rank});
    auto regret = std::make_unique<PartialRegret>(std::move(phases), std::move(own), problem_.worst);
    const SearchSpace space{problem_, problem_.traffic, ranks, problem_.machine.n_levels(), CoreIndex{0}};
    const Deadline deadline(options_.deadline_cpu_s);
    SearchResult found = search_score(space, std::move(regret), false, best_.core_of_rank(),
                                      kEnumerationSteps[options_.effort], deadline);
    consider(Placement(std::move(found.core_of_rank)));
    proven_ = found.finished && own_proven_ && !widths_differ(problem_.constraints);
    cut_short_ |= !found.finished && deadline.passed();
  }

  void search_all(const NoForm& /*form*/) {
    const SlotRules rules(problem_);
    const Graph partners = partner_graph();
    const auto regret = [this](const std::vector<std::int32_t>& slot_of) {
      return greatest_regret(placement_of(slot_of, tree_, n_ranks_));
    };
    const search::ScoreProblem scores{regret,   partners.edges.size() + own_.size() * n_ranks_,
                                      partners, tree_,
                                      n_ranks_, problem_.top_level(),
                                      rules};
    consider(placement_of(search::optimise_scores(scores, {mapping_of(best_).slots()}, options_, work_),
                          tree_, n_ranks_));
  }
  void search_all(const DistanceSum& /*form*/) {
    std::vector<Graph> graphs;
    for (const Traffic& phase : traffic_of_phase_) {
      graphs.push_back(byte_graph(phase.folded(), tree_.n_slots()));
    }
    anneal_phases<search::HopCost>(graphs);
  }
  void search_all(const GreatestLoads& form) { anneal_loads(form); }
  void search_all(const PhaseTimes& form) { anneal_loads(form); }

  template <typename Form>
  void anneal_loads(const Form& form) {
    std::vector<search::LoadModel> models;
    for (const Traffic& phase : traffic_of_phase_) {
      models.push_back(search::make_load_model(form, alone(phase), tree_));
    }
    anneal_phases<search::LoadCost>(models);
  }

  [[nodiscard]] Graph partner_graph() const {
    return byte_graph(problem_.traffic.folded(), tree_.n_slots(), 1);
  }

  [[nodiscard]] Mapping mapping_of(const Placement& placement) {
    return {tree_, slots_of(placement, tree_, problem_.machine.n_cores())};
  }

  /// @param models  [phase] what a PhaseCost adds up.
  template <typename PhaseCost, typename Model>
  void anneal_phases(const std::vector<Model>& models) {
    std::vector<PhaseCost> now;
    std::vector<Cost> own;
    const int sign = problem_.worst ? -1 : 1;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      now.emplace_back(models[i], mapping_of(best_), sign, work_);
      own.push_back(PhaseCost(models[i], mapping_of(own_[i].placement), sign, work_).value());
    }
    const Graph partners = partner_graph();
    if (partners.edges.empty()) return;
    const SlotRules rules(problem_);
    search::SwapProposer proposer(partners, tree_, problem_.top_level(), &rules);
    search::RegretCost<PhaseCost> cost(std::move(now), std::move(own));
    Random random(options_.seed);
    const search::SwapSample sample =
        search::sample_swaps(cost, proposer, random, work_, search::kRegretUnit);
    const Cost hottest = std::max<Cost>(1, sample.mean_change / 2);
    const std::uint64_t steps =
        kAnnealingSteps[options_.effort] * static_cast<std::uint64_t>(partners.n_active());
    const search::CoolingSchedule schedule{hottest, std::max<Cost>(1, hottest >> 10),
                                           steps / sample.steps_per_proposal};
    consider(placement_of(anneal(cost, proposer, schedule, random, work_), tree_, n_ranks_));
  }

  RegretSolution result() {
    RegretSolution result;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      Score value = value_of(traffic_of_phase_[i], best_);
      Score own = own_[i].score;
      if (problem_.worst ? value > own : value < own) own = value;  // found on the way
      Score regret{relative_loss(value.values, own.values, problem_.worst)};
      result.greatest = std::max(result.greatest, regret);
      result.phases.push_back({std::move(own), std::move(value), std::move(regret)});
    }
    result.proven = proven_;
    result.solution.score = value_of(problem_.traffic, best_);
    result.solution.placement = with_all_cores(problem_, best_);
    result.solution.cut_short = cut_short_ || work_.cut_short();
    return result;
  }

  PlacedProblem problem_;
  std::string_view solver_name_;
  SolverOptions options_;
  std::int32_t n_ranks_;
  std::vector<Traffic> traffic_of_phase_;
  std::vector<Solution> own_;
  bool own_proven_ = false;
  bool proven_ = false;
  bool cut_short_ = false;
  Placement best_;
  Score best_regret_;
  WorkMeter work_{options_.deadline_cpu_s};
  SlotTree tree_{slot_tree_of(problem_)};
};

}  // namespace

RegretSolution solve_least_regret(const MappingProblem& problem, std::string_view solver_name,
                                  const SolverOptions& options) {
  if (!solver(solver_name).optimises) {
    throw Error(ErrorCode::unsupported,
                concat("the solver ", solver_name, " looks for no least regret; use auto or exact"));
  }
  if (problem.traffic.phases.empty()) {
    throw Error(ErrorCode::bad_input, "found traffic without phases; expected one or more to regret");
  }
  if (const std::optional<NeededPart> part = needed_part(problem)) {
    RegretSolution result = solve_least_regret(part->of(problem), solver_name, options);
    result.solution.placement = part->on_whole(result.solution.placement);
    return result;
  }
  const double start_cpu_s = process_cpu_s();
  RegretSolution result = RegretSearch(problem, solver_name, options).run();
  if (solver_name == "exact" && !result.proven && !result.solution.cut_short) {
    throw Error(ErrorCode::unsupported,
                concat("exact found no proof of the least regret of ", problem.traffic.n_ranks(),
                       " ranks; use the solver auto, or more effort"));
  }
  result.solution.cpu_s = process_cpu_s() - start_cpu_s;
  return result;
}

}  // namespace corewise
