/// Multilevel refinement of a large mapping: whole groups of the machine swap places, the largest groups
/// first; then ranks swap inside each region of the machine.
///
/// Source: multilevel refinement (Hendrickson and Leland, SC 1995). Our change: the levels are those of the
/// machine, not of a coarsened graph.
#pragma once

#include <cstdint>

#include "corewise/random.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/hop_problem.hpp"

namespace corewise::search {

struct MultilevelOptions {
  std::uint64_t proposals_per_vertex;  ///< swaps for each group of a level, and for each vertex of a region
  Cost initial_percent;  ///< as in TemperatureScale::schedule(), on each level and in each region
  int n_threads = 1;     ///< at most; the result does not depend on it
};

/// On each level whose groups are equal in size, contracts every group to one vertex and anneals this coarse
/// graph on the tree above the level. Ignores constraints on single ranks.
/// @return a mapping that costs no more than slot_of.
[[nodiscard]] SlotOfVertex refine_groups(const HopModel& model, SlotOfVertex slot_of,
                                         const MultilevelOptions& options, Random& random, WorkMeter& work);

/// Anneals inside each region: a group of the highest level whose groups have at most 4096 slots, which fits
/// the processor's caches. Regions are independent, because swaps inside a region change no distance to
/// vertices outside it. Ignores constraints on single ranks.
/// @return a mapping that costs no more than slot_of.
[[nodiscard]] SlotOfVertex refine_regions(const HopModel& model, const SlotOfVertex& slot_of,
                                          const MultilevelOptions& options, Random& random, WorkMeter& work);

}  // namespace corewise::search
