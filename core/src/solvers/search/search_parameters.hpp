/// SearchParameters: the figures of the search that were tuned. An ablation changes this file or its source
/// file, and no other.
///
/// Origin, unless a line names another one: laboratory/benchmarks/mapping. Counts depend on the number of
/// ranks and on the effort alone, so that results repeat on any machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "corewise/solver.hpp"
#include "solvers/problem/cost.hpp"

namespace corewise::search {

/// How the search for hop-bytes divides its work among constructions, annealing and reheating.
struct HopPlan {
  // Constructions of initial mappings.
  int multisections = 1;             ///< beyond 1024 ranks fewer in proportion: see n_multisections()
  int least_multisections = 1;       ///< so that annealing runs start from different mappings
  int bisection_attempts = 1;        ///< for each bisection of a small part; the least cut is kept
  std::size_t cluster_mappings = 0;  ///< for each cluster scheme
  /// For each scheme that is best, or nearly, if clusters are the best construction, as in recursive
  /// doubling.
  std::size_t extra_cluster_mappings = 0;
  std::size_t max_cluster_schemes = 6;  ///< those of the lowest levels
  /// With more ranks these orders of a grid would take too much of the work.
  std::int32_t max_ranks_boustrophedon = 256;

  /// Swaps for each vertex, on each level and in each region. They improve more than annealing does once a
  /// proposal misses the processor's caches.
  std::uint64_t multilevel_proposals = 0;

  // Independent annealing runs, each from another initial mapping. A proposal takes about 50 ns.
  std::size_t annealing_runs = 1;
  std::uint64_t proposals_per_rank = 0;  ///< of one run; ranks as proposals() counts them
  std::uint64_t max_proposals = std::numeric_limits<std::uint64_t>::max();  ///< of one run, likewise
  std::uint64_t ranks_factor = 1;                                           ///< likewise
  /// For even and for odd runs, as in TemperatureScale::schedule(). A high temperature forgets the initial
  /// mapping; with many ranks there is no time for that, and a low one keeps its large-scale structure.
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
  HopPlan huge_jobs;   ///< beyond
  /// Up to 24 ranks, if a proof follows, which finds the better placements within a second: about 2 ms.
  std::optional<HopPlan> before_proof;

  /// Steps of annealing link loads and times; beyond 1024 ranks they grow with the root of the ranks only.
  std::uint64_t load_steps_per_rank;

  // Objectives of which nothing is known but scores.
  std::size_t score_replicas;          ///< independent climbs, from the best starts
  std::uint64_t score_steps_per_rank;  ///< of all replicas together

  // Proofs. Origin: laboratory/benchmarks/mapping/proofs.py.
  /// Ranks that branch and bound places: some seconds for the default effort.
  std::uint64_t branches;
  /// Sets of ranks that a proof of hop-bytes examines, up to 24 ranks and beyond, where few proofs succeed:
  /// about 10 ms, ten seconds (half a second beyond), minutes. 16 ranks need a thousandth of the middle one.
  std::array<std::uint64_t, 2> distance_sets;
  /// Decisions about one rank that a proof of loads takes, up to 32 ranks and beyond: about 20 ms, 6 s (a
  /// second beyond), some minutes. 16 ranks need a hundredth of the middle one.
  std::array<std::uint64_t, 2> load_decisions;
};

[[nodiscard]] const SearchParameters& search_parameters(Effort effort);

/// The plan for a job. @param proof_follows  an exact method will improve the result.
[[nodiscard]] const HopPlan& hop_plan(const SearchParameters& parameters, std::int32_t n_ranks,
                                      bool proof_follows);
/// Multisections of a job.
[[nodiscard]] int n_multisections(const HopPlan& plan, std::int32_t n_ranks);
/// Proposals of one annealing run. Beyond 1024 ranks they grow with the fourth root of the number of ranks,
/// so that the time of a search stays bearable; HopPlan::ranks_factor puts that off. Beyond 65536 ranks each
/// proposal misses the processor's caches, and max_proposals falls in proportion, to 4 million.
[[nodiscard]] std::uint64_t annealing_proposals(const HopPlan& plan, std::int32_t n_ranks);
[[nodiscard]] std::uint64_t reheating_proposals(const HopPlan& plan, std::int32_t n_ranks);

/// What is the same for every effort.
struct CommonParameters {
  // Annealing.
  int sampled_swaps = 200;          ///< proposals whose changes scale the temperatures of load searches
  std::int64_t batches = 256;       ///< steps of the temperature; the best mapping at a batch's end is kept
  std::uint64_t descent_part = 16;  ///< the final descent gets 1/16 of a run's proposals
  Cost reheating_percent = 25;      ///< keeps the structure of the mapping
  std::size_t max_cached_gains = std::size_t{1} << 21;  ///< 16 MB: a larger gain cache misses the processor's

  // Choice of initial mappings.
  std::int32_t max_ranks_bottom_up = 65536;  ///< beyond, swaps of small groups take as long as multisections
  int multisections_per_bottom_up = 12;      ///< one bottom-up mapping for each 12 multisections
  std::size_t boustrophedon_per_level = 2;   ///< orders that are kept of each level
  Cost nearly_best_part = 20;                ///< a mapping is nearly as good as the best up to 1/20 above it

  // Bisection.
  std::int32_t max_coarsest_vertices = 48;  ///< coarsening ends here
  std::int32_t min_reduction = 20;          ///< or where one more level would remove less than 1/20
  int growing_attempts = 4;                 ///< parts grown on the coarsest graph
  int max_refinement_passes = 6;            ///< Fiduccia-Mattheyses passes on each level
  std::size_t fruitless_moves = 30;         ///< a pass ends after 30 and n/30 moves without a better state
  std::int32_t max_vertices_of_attempts = 2048;  ///< larger parts are bisected once
  std::size_t max_sequential_vertices = 16384;   ///< smaller halves are not worth a thread

  // Groups and clusters.
  int max_swap_passes = 8;                    ///< over the members of bottom-up groups
  std::uint64_t proposals_per_cluster = 700;  ///< of annealing whole clusters
  Cost cluster_percent = 100;                 ///< its first temperature, as HopPlan::initial_percent
  std::int32_t max_region_slots = 4096;       ///< of multilevel refinement: a region fits the caches

  // Loads and scores.
  int load_cooling_bits = 6;            ///< temperatures of load searches fall by 2^6, and
  int load_cooling_bits_per_class = 4;  ///< by 2^4 for each class of links: lower ones weigh a sixteenth
  std::uint64_t swaps_per_memory = 50;  ///< tried for each score remembered: more converge later and better
  std::uint32_t any_swap_one_in = 4;    ///< of the swaps of scores: a rank may count that talks to nobody

  /// Up to here the proof comes first: it usually takes less than a tenth of a second.
  std::int32_t max_ranks_proof_first = 12;
  /// Beyond, starts by distance for other objectives take the fast plan.
  std::int32_t max_ranks_full_start = 1024;
};
inline constexpr CommonParameters kCommon;

}  // namespace corewise::search
