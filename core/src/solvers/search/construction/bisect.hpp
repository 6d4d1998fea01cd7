/// Bisection: splits a graph in two parts of exactly given sizes with little traffic between them.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

struct Bisection {
  std::vector<std::uint8_t> side;  ///< [vertex]: 0 or 1
  Cost cut = 0;
};

/// Multilevel bisection: coarsen, grow a part around a random vertex, refine on every level on the way back.
/// @param n_first  how many vertices go to part 0; the others go to part 1.
/// @return exactly n_first zeros.
/// Source: Hendrickson and Leland, SC 1995; refinement: Fiduccia and Mattheyses, DAC 1982. Ours: the exact
/// sizes.
[[nodiscard]] Bisection bisect(Graph graph, std::int32_t n_first, Random& random, WorkMeter& work);

}  // namespace corewise::search
