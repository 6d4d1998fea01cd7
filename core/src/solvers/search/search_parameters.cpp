/// The parameters of each effort, and the numbers of mappings and proposals for a job's size.
#include "solvers/search/search_parameters.hpp"

#include <algorithm>

#include "solvers/problem/fixed_point.hpp"

namespace corewise::search {
namespace {

constexpr std::int32_t kFewRanks = 256;
/// Below it, there are more annealing runs.
constexpr std::int32_t kRanksOfManyRuns = 96;
constexpr std::int32_t kManyRanks = 2048;
constexpr std::int32_t kLargeJob = 8192;
/// With more ranks, the data of a search exceeds the processor's caches.
constexpr std::int32_t kRanksInCaches = 65536;
constexpr std::uint64_t kLeastMaxProposals = 4'000'000;

constexpr SearchParameters kFast{
    .few_ranks = {.proposals_per_rank = 300, .ranks_factor = 4, .initial_percent = {40}},
    .many_ranks = {.proposals_per_rank = 300, .ranks_factor = 4, .initial_percent = {15}},
    .large_jobs = {.proposals_per_rank = 300, .ranks_factor = 4, .initial_percent = {15}},
    .huge_jobs = {.multilevel_proposals = 20,
                  .proposals_per_rank = 300,
                  .ranks_factor = 4,
                  .initial_percent = {15}},
    .load_steps_per_rank = 10'000,
    .load_runs_of_ranks = 160,
    .branches = 1'000'000,
};

constexpr SearchParameters kStandard{
    .few_ranks = {.multisections = 8,
                  .bisection_attempts = 4,
                  .cluster_mappings = 1,
                  .extra_cluster_mappings = 20,
                  .max_ranks_boustrophedon = 4096,
                  .annealing_runs = 5,
                  .proposals_per_rank = 7'000,
                  .initial_percent = {200, 100}},
    .many_ranks = {.multisections = 4,
                   .bisection_attempts = 4,
                   .cluster_mappings = 1,
                   .extra_cluster_mappings = 12,
                   .max_ranks_boustrophedon = 4096,
                   .proposals_per_rank = 24'000,
                   .initial_percent = {150, 150},
                   .reheating_runs = 1,
                   .reheating_proposals_per_rank = 2'400},
    .large_jobs = {.multisections = 4,
                   .bisection_attempts = 4,
                   .cluster_mappings = 1,
                   .extra_cluster_mappings = 2,
                   .max_cluster_schemes = 2,
                   .max_ranks_boustrophedon = 4096,
                   .annealing_runs = 2,
                   .proposals_per_rank = 14'000,
                   .max_proposals = 13'000'000,
                   .initial_percent = {40, 40}},
    .huge_jobs = {.multisections = 24,
                  .max_ranks_boustrophedon = 4096,
                  .multilevel_proposals = 60,
                  .proposals_per_rank = 28'000,
                  .max_proposals = 26'000'000,
                  .initial_percent = {5, 5}},
    .load_steps_per_rank = 200'000,
    .load_runs_of_ranks = 320,
    .branches = 30'000'000,
};

constexpr SearchParameters kStrong{
    .few_ranks = {.multisections = 50,
                  .bisection_attempts = 4,
                  .cluster_mappings = 4,
                  .extra_cluster_mappings = 40,
                  .max_ranks_boustrophedon = 16384,
                  .annealing_runs = 20,
                  .proposals_per_rank = 10'000,
                  .initial_percent = {200, 30},
                  .reheating_runs = 4,
                  .reheating_proposals_per_rank = 10'000},
    .many_ranks = {.multisections = 50,
                   .least_multisections = 2,
                   .bisection_attempts = 4,
                   .cluster_mappings = 2,
                   .extra_cluster_mappings = 24,
                   .max_ranks_boustrophedon = 16384,
                   .annealing_runs = 4,
                   .proposals_per_rank = 32'500,
                   .initial_percent = {150, 40}},
    .large_jobs = {.multisections = 50,
                   .least_multisections = 2,
                   .bisection_attempts = 4,
                   .cluster_mappings = 2,
                   .extra_cluster_mappings = 24,
                   .max_ranks_boustrophedon = 16384,
                   .annealing_runs = 4,
                   .proposals_per_rank = 32'500,
                   .initial_percent = {100, 40}},
    .huge_jobs = {.multisections = 200,
                  .least_multisections = 2,
                  .max_ranks_boustrophedon = 16384,
                  .multilevel_proposals = 200,
                  .annealing_runs = 4,
                  .proposals_per_rank = 32'500,
                  .initial_percent = {100, 40}},
    .load_steps_per_rank = 2'000'000,
    .load_runs_of_ranks = 320,
    .branches = 1'000'000'000,
};

std::uint64_t counted_ranks(const HopPlan& plan, std::int32_t n) {
  const std::uint64_t thousands = std::max(n / 1024, 1);
  const std::uint64_t most = 1024 * integer_root(integer_root(thousands * 65536)) / 16;
  return std::min(static_cast<std::uint64_t>(n), plan.ranks_factor * most);
}

}  // namespace

const SearchParameters& search_parameters(Effort effort) {
  if (effort == Effort::fast) return kFast;
  return effort == Effort::standard ? kStandard : kStrong;
}

const HopPlan& hop_plan(const SearchParameters& parameters, std::int32_t n_ranks) {
  if (n_ranks <= kFewRanks) return parameters.few_ranks;
  if (n_ranks <= kManyRanks) return parameters.many_ranks;
  return n_ranks <= kLargeJob ? parameters.large_jobs : parameters.huge_jobs;
}

int n_multisections(const HopPlan& plan, std::int32_t n_ranks) {
  return std::max(plan.multisections / std::max(n_ranks / 1024, 1), plan.least_multisections);
}

std::uint64_t annealing_proposals(const HopPlan& plan, std::int32_t n_ranks) {
  const auto most = static_cast<std::uint64_t>(static_cast<__int128>(plan.max_proposals) * kRanksInCaches /
                                               std::max(n_ranks, kRanksInCaches));
  return std::min(plan.proposals_per_rank * counted_ranks(plan, n_ranks), std::max(most, kLeastMaxProposals));
}

std::size_t n_annealing_runs(const HopPlan& plan, std::int32_t n_ranks) {
  return plan.annealing_runs * std::max(kRanksOfManyRuns / std::max(n_ranks, 16), 1);
}

std::uint64_t n_load_runs(Effort effort, std::int32_t n_ranks) {
  const auto ranks = static_cast<std::uint64_t>(std::max(n_ranks, 16));
  return std::max<std::uint64_t>(search_parameters(effort).load_runs_of_ranks / ranks, 1);
}

std::uint64_t reheating_proposals(const HopPlan& plan, std::int32_t n_ranks) {
  return plan.reheating_proposals_per_rank * counted_ranks(plan, n_ranks);
}

}  // namespace corewise::search
