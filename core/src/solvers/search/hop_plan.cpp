/// HopPlan: figures tuned on laboratory/benchmarks/mapping.
#include "solvers/search/hop_plan.hpp"

#include <algorithm>

#include "solvers/problem/by_effort.hpp"
#include "solvers/problem/fixed_point.hpp"

namespace corewise::search {
namespace {

// Sizes at which plans change.
constexpr std::int32_t few_ranks = 256;
constexpr std::int32_t many_ranks = 2048;
constexpr std::int32_t very_many_ranks = 8192;
/// Up to here exact methods end within a second, and find the better placements.
constexpr std::int32_t max_ranks_proof = 24;

/// Ranks that count towards the work. Beyond 1024 they grow with the fourth root of the number of ranks, so
/// that the time of a search stays bearable.
std::uint64_t counted_ranks(std::int32_t n) {
  const std::uint64_t thousands = std::max(n / 1024, 1);
  const std::uint64_t most = 1024 * integer_root(integer_root(thousands * 65536)) / 16;
  return std::min(static_cast<std::uint64_t>(n), most);
}

/// A count of something whose time grows with the number of ranks: fewer beyond 1024 ranks, at least one.
constexpr int fewer(int count, std::int32_t n) { return std::max(count / std::max(n / 1024, 1), 1); }

HopPlan fast_plan(std::int32_t n) {
  const auto size = static_cast<std::uint64_t>(n);
  return {.multilevel_proposals = n <= very_many_ranks ? 0u : 20u,
          .proposals_per_run = 300 * std::min(size, 4 * counted_ranks(n)),
          .initial_percent = {n <= few_ranks ? 40 : 15, 0}};
}

HopPlan standard_plan_of_few(std::int32_t n) {
  return {.multisections = 8,
          .bisection_attempts = 4,
          .cluster_mappings = 1,
          .extra_cluster_mappings = 20,
          .max_ranks_boustrophedon = 4096,
          .annealing_runs = 5,
          .proposals_per_run = 7'000 * static_cast<std::uint64_t>(n),
          .initial_percent = {200, 100}};
}

HopPlan standard_plan_of_many(std::int32_t n) {
  const std::uint64_t proposals = 24'000 * counted_ranks(n);
  return {.multisections = fewer(4, n),
          .bisection_attempts = 4,
          .cluster_mappings = 1,
          .extra_cluster_mappings = 12,
          .max_ranks_boustrophedon = 4096,
          .proposals_per_run = proposals,
          .initial_percent = {150, 150},
          .reheating_runs = 1,
          .proposals_per_reheating_run = proposals / 10};
}

HopPlan standard_plan_of_very_many(std::int32_t n) {
  // Beyond 65536 ranks each proposal misses the processor's caches, and multilevel refinement improves more
  // in the same time.
  const std::uint64_t most = std::clamp<std::uint64_t>(
      std::uint64_t{26'000'000} * 65536 / static_cast<std::uint64_t>(n), 4'000'000, 26'000'000);
  const std::uint64_t proposals = std::min(28'000 * counted_ranks(n), most);
  if (n > very_many_ranks) {
    return {.multisections = fewer(24, n),
            .max_ranks_boustrophedon = 4096,
            .multilevel_proposals = 60,
            .proposals_per_run = proposals,
            .initial_percent = {5, 5}};
  }
  return {.multisections = fewer(4, n),
          .bisection_attempts = 4,
          .cluster_mappings = 1,
          .extra_cluster_mappings = 2,
          .max_cluster_schemes = 2,
          .max_ranks_boustrophedon = 4096,
          .annealing_runs = 2,
          .proposals_per_run = proposals / 2,
          .initial_percent = {40, 40}};
}

HopPlan standard_plan(std::int32_t n) {
  if (n <= few_ranks) return standard_plan_of_few(n);
  return n <= many_ranks ? standard_plan_of_many(n) : standard_plan_of_very_many(n);
}

HopPlan strong_plan(std::int32_t n) {
  if (n <= few_ranks) {
    const std::uint64_t proposals = 10'000 * static_cast<std::uint64_t>(n);
    return {.multisections = 50,
            .bisection_attempts = 4,
            .cluster_mappings = 4,
            .extra_cluster_mappings = 40,
            .max_ranks_boustrophedon = 16384,
            .annealing_runs = 20,
            .proposals_per_run = proposals,
            .initial_percent = {200, 30},
            .reheating_runs = 4,
            .proposals_per_reheating_run = proposals};
  }
  HopPlan plan{.multisections = std::max(fewer(200, n), 2),
               .max_ranks_boustrophedon = 16384,
               .annealing_runs = 4,
               .proposals_per_run = 32'500 * counted_ranks(n),
               .initial_percent = {n <= many_ranks ? 150 : 100, 40}};
  if (n <= very_many_ranks) {
    plan.multisections = std::max(fewer(50, n), 2);
    plan.bisection_attempts = 4;
    plan.cluster_mappings = 2;
    plan.extra_cluster_mappings = 24;
  } else {
    plan.multilevel_proposals = 200;
  }
  return plan;
}

/// A good placement for an exact method to begin with; at 16 ranks it takes about 2 ms.
HopPlan plan_before_proof(std::int32_t n) {
  const std::uint64_t proposals = 700 * static_cast<std::uint64_t>(n);
  return {.multisections = 8,
          .bisection_attempts = 4,
          .cluster_mappings = 4,
          .annealing_runs = 4,
          .proposals_per_run = proposals,
          .initial_percent = {200, 100},
          .reheating_runs = 1,
          .proposals_per_reheating_run = proposals};
}

}  // namespace

HopPlan make_hop_plan(std::int32_t n_ranks, Effort effort, bool proof_follows) {
  if (proof_follows && n_ranks <= max_ranks_proof && effort == Effort::standard) {
    return plan_before_proof(n_ranks);
  }
  constexpr ByEffort<HopPlan (*)(std::int32_t)> kPlans{fast_plan, standard_plan, strong_plan};
  return kPlans[effort](n_ranks);
}

}  // namespace corewise::search
