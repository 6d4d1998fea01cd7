/// Multilevel refinement of a large mapping: whole groups of the machine swap places, the largest groups
/// first; then ranks swap inside each region of the machine.
///
/// Source: multilevel refinement (Hendrickson and Leland, SC 1995). Own: the levels are the machine's instead
/// of those of a coarsening.
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

/// On each level whose groups are equal in size, anneals the coarse graph of the groups as if each group were
/// one rank on the tree above it. Constraints on single ranks are not heeded.
/// @return a mapping that costs no more than slot_of.
[[nodiscard]] SlotOfVertex refine_groups(const HopModel& model, SlotOfVertex slot_of,
                                         const MultilevelOptions& options, Random& random, WorkMeter& work);

/// Anneals inside each region: a group of the highest level whose groups have at most 4096 slots. Swaps
/// inside a region change no distance to vertices outside of it, so regions are independent, and each fits
/// the processor's caches. Constraints on single ranks are not heeded.
/// @return a mapping that costs no more than slot_of.
[[nodiscard]] SlotOfVertex refine_regions(const HopModel& model, const SlotOfVertex& slot_of,
                                          const MultilevelOptions& options, Random& random, WorkMeter& work);

}  // namespace corewise::search
