/// HopPlan: figures tuned on benchmarks/mapping.
#include "solvers/search/hop_plan.hpp"

#include <algorithm>

#include "solvers/problem/fixed_point.hpp"

namespace corewise::search {
namespace {

constexpr std::int32_t few_ranks = 256;
/// Up to here proofs succeed within a second, and better placements come out of them.
constexpr std::int32_t few_ranks_to_prove = 24;

/// Beyond a thousand ranks the work grows with the fourth root (of a root of ranks), or nobody would wait for
/// it. @return ranks whose proposals are counted.
std::uint64_t counted_ranks(std::int32_t n) {
  const std::uint64_t thousands = std::max(n / 1024, 1);
  const std::uint64_t most = 1024 * integer_root(integer_root(thousands * 65536)) / 16;
  return std::min(static_cast<std::uint64_t>(n), most);
}

/// Of one that is shared out over a problem of many ranks.
constexpr int fewer(int count, std::int32_t n) { return std::max(count / std::max(n / 1024, 1), 1); }

HopPlan fast_plan(std::int32_t n) {
  const auto size = static_cast<std::uint64_t>(n);
  return {.proposals = 300 * std::min(size, 4 * counted_ranks(n)),
          .initial_percent = {n <= few_ranks ? 40 : 15, 0}};
}

HopPlan standard_plan(std::int32_t n) {
  const auto size = static_cast<std::uint64_t>(n);
  HopPlan plan{.multisections = fewer(24, n), .max_ranks_boustrophedon = 4096};
  if (n <= 8192) plan.multisections = fewer(4, n), plan.tries = 4;
  if (n <= few_ranks) {
    plan.multisections = 8, plan.units = 1, plan.leading_units = 20;
    plan.replicas = 5, plan.proposals = 7'000 * size, plan.initial_percent = {200, 100};
  } else if (n <= 2048) {
    plan.units = 1, plan.leading_units = 12;
    plan.proposals = 24'000 * counted_ranks(n), plan.initial_percent = {150, 150};
    plan.reheated = 1, plan.proposals_of_reheated = plan.proposals / 10;
  } else {
    // With fewer proposals a rank, less heat is taken off again. Beyond 65536 ranks each proposal misses the
    // cache and zooming does more in the same time.
    const std::uint64_t most =
        std::clamp<std::uint64_t>(std::uint64_t{26'000'000} * 65536 / size, 4'000'000, 26'000'000);
    if (n <= 8192) plan.units = 1, plan.leading_units = 2, plan.max_cluster_schemes = 2;
    plan.replicas = n <= 8192 ? 2 : 1;
    plan.proposals = std::min(28'000 * counted_ranks(n), most) / plan.replicas;
    plan.initial_percent.fill(n <= 8192 ? 40 : 5);
  }
  return plan;
}

HopPlan strong_plan(std::int32_t n) {
  const auto size = static_cast<std::uint64_t>(n);
  if (n <= few_ranks) {
    return {.multisections = 50,
            .tries = 4,
            .units = 4,
            .leading_units = 40,
            .max_ranks_boustrophedon = 16384,
            .replicas = 20,
            .proposals = 10'000 * size,
            .initial_percent = {200, 30},
            .reheated = 4,
            .proposals_of_reheated = 10'000 * size};
  }
  HopPlan plan{.multisections = std::max(fewer(200, n), 2), .max_ranks_boustrophedon = 16384, .replicas = 4};
  plan.proposals = 32'500 * counted_ranks(n), plan.initial_percent = {n <= 2048 ? 150 : 100, 40};
  if (n <= 8192) {
    plan.multisections = std::max(fewer(50, n), 2), plan.tries = 4;
    plan.units = 2, plan.leading_units = 24;
  }
  return plan;
}

/// A good placement for a proof to begin with; at 16 ranks about 2 ms.
HopPlan plan_before_proof(std::int32_t n) {
  const std::uint64_t proposals = 700 * static_cast<std::uint64_t>(n);
  return {.multisections = 8,
          .tries = 4,
          .units = 4,
          .replicas = 4,
          .proposals = proposals,
          .initial_percent = {200, 100},
          .reheated = 1,
          .proposals_of_reheated = proposals};
}

}  // namespace

HopPlan make_hop_plan(std::int32_t n, Effort effort, bool proof_follows) {
  if (proof_follows && n <= few_ranks_to_prove && effort == Effort::standard) return plan_before_proof(n);
  switch (effort) {
    case Effort::fast:
      return fast_plan(n);
    case Effort::standard:
      return standard_plan(n);
    case Effort::strong:
      return strong_plan(n);
  }
  return {};
}

}  // namespace corewise::search
