/// SearchParameters: all tuned figures of the search. An experiment with other figures changes only this file
/// and its source file.
///
/// The figures come from laboratory/benchmarks/mapping unless a line names another source. Counts depend only
/// on the number of ranks and on the effort, so that results repeat on any machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "corewise/solver.hpp"
#include "solvers/problem/cost.hpp"

namespace corewise::search {

/// How the search for hop-bytes divides its work among constructions, annealing and reheating.
struct HopPlan {
  // Constructions of initial mappings.
  int multisections = 1;             ///< of a small job; see n_multisections()
  int least_multisections = 1;       ///< of a large job; several give annealing runs different starts
  int bisection_attempts = 1;        ///< for each bisection of a small part; the least cut is kept
  std::size_t cluster_mappings = 0;  ///< for each cluster scheme
  /// Further mappings of each best or nearly best scheme if clusters are the best construction, as for
  /// recursive doubling.
  std::size_t extra_cluster_mappings = 0;
  std::size_t max_cluster_schemes = 6;  ///< only those of the lowest levels are used
  /// Boustrophedon orders of larger grids would take too much of the work.
  std::int32_t max_ranks_boustrophedon = 256;

  /// Swaps of multilevel refinement for each vertex, on each level and in each region. Refinement improves
  /// more than annealing if the data of a search exceeds the processor's caches.
  std::uint64_t multilevel_proposals = 0;

  // Independent annealing runs, each from another initial mapping. A proposal takes about 50 ns.
  std::size_t annealing_runs = 1;
  std::uint64_t proposals_per_rank = 0;  ///< of one run; see annealing_proposals()
  std::uint64_t max_proposals = std::numeric_limits<std::uint64_t>::max();  ///< of one run
  std::uint64_t ranks_factor = 1;  ///< a greater factor lets proposals grow in proportion up to more ranks
  /// First temperatures of even and of odd runs, as in TemperatureScale::schedule(). A high temperature
  /// destroys the initial mapping. With many ranks there is no time to find a better one from there, so a low
  /// temperature keeps the large-scale structure.
  std::array<Cost, 2> initial_percent{};

  // Further runs at a low temperature, each from the best mapping found.
  std::size_t reheating_runs = 0;
  std::uint64_t reheating_proposals_per_rank = 0;
};

struct SearchParameters {
  // Hop-bytes, by the number of ranks that communicate.
  HopPlan few_ranks;   ///< up to 256
  HopPlan many_ranks;  ///< up to 2048
  HopPlan large_jobs;  ///< up to 8192
  HopPlan huge_jobs;   ///< more
  /// Steps of annealing link loads and times. Beyond 1024 ranks, the total grows only with the square root of
  /// the number of ranks.
  std::uint64_t load_steps_per_rank;
  std::uint64_t load_runs_of_ranks;  ///< see n_load_runs()

  /// Limit for branch and bound, which counts each time it places a rank: some seconds with standard effort.
  std::uint64_t branches;
};

[[nodiscard]] const SearchParameters& search_parameters(Effort effort);

/// The plan for a job.
[[nodiscard]] const HopPlan& hop_plan(const SearchParameters& parameters, std::int32_t n_ranks);
/// The number of multisections. In a large job, it is inversely proportional to the ranks, because each takes
/// longer.
[[nodiscard]] int n_multisections(const HopPlan& plan, std::int32_t n_ranks);
/// Proposals of one annealing run. For large jobs they grow only with the fourth root of the number of ranks,
/// which limits the time of a search. Beyond 65536 ranks each proposal misses the processor's caches, so
/// max_proposals falls in proportion to the ranks, down to 4 million.
[[nodiscard]] std::uint64_t annealing_proposals(const HopPlan& plan, std::int32_t n_ranks);
/// The number of annealing runs: few ranks need more runs to find the optimum, and a run takes milliseconds.
[[nodiscard]] std::size_t n_annealing_runs(const HopPlan& plan, std::int32_t n_ranks);
/// Likewise for loads and times, inversely proportional to the ranks.
[[nodiscard]] std::uint64_t n_load_runs(Effort effort, std::int32_t n_ranks);
[[nodiscard]] std::uint64_t reheating_proposals(const HopPlan& plan, std::int32_t n_ranks);

/// Parameters that are the same for every effort.
struct CommonParameters {
  // Annealing.
  int sampled_swaps = 200;          ///< number of swaps that set the temperatures of load searches
  std::int64_t batches = 256;       ///< one for each temperature; the best mapping at a batch's end is kept
  std::uint64_t descent_part = 16;  ///< the final descent gets 1/16 of a run's proposals
  Cost reheating_percent = 25;      ///< as initial_percent; low, to keep the structure of the mapping
  std::size_t max_cached_gains = std::size_t{1} << 21;  ///< 16 MB: more would exceed the processor's caches

  // Choice of initial mappings.
  std::size_t boustrophedon_per_level = 2;  ///< number of orders that are kept for each level
  Cost nearly_best_part = 20;               ///< nearly best: costs at most 1/20 more than the best

  // Bisection.
  std::int32_t max_coarsest_vertices = 48;       ///< coarsening ends here,
  std::int32_t min_reduction = 20;               ///< or if the next level would remove less than 1/20
  int growing_attempts = 4;                      ///< parts grown on the coarsest graph
  int max_refinement_passes = 6;                 ///< Fiduccia-Mattheyses passes on each level
  std::size_t fruitless_moves = 30;              ///< a pass ends after 30 + n/30 moves without a better state
  std::int32_t max_vertices_of_attempts = 2048;  ///< larger parts are bisected once
  std::size_t max_sequential_vertices = 16384;   ///< smaller parts are not divided on several threads

  // Groups and clusters.
  int max_swap_passes = 8;                    ///< over the members of groups
  std::uint64_t proposals_per_cluster = 700;  ///< of annealing whole clusters
  Cost cluster_percent = 100;                 ///< its first temperature, as HopPlan::initial_percent
  std::int32_t max_region_slots = 4096;       ///< of multilevel refinement: a region fits the caches

  // Loads.
  int load_cooling_bits = 6;            ///< temperatures of load searches fall by 2^6,
  int load_cooling_bits_per_class = 4;  ///< and by 2^4 for each class: a lower one weighs 1/16 in LoadCost

  /// Up to this number of ranks the proof comes first: it usually takes less than a tenth of a second.
  std::int32_t max_ranks_proof_first = 12;
  /// Up to this number of ranks, branch and bound tries to prove the result of the search.
  std::int32_t max_ranks_proof_last = 16;
  /// With more ranks, searches of other objectives use the fast plan for their start by hop-bytes.
  std::int32_t max_ranks_full_start = 1024;
};
inline constexpr CommonParameters kCommon;

}  // namespace corewise::search
