/// Bisection: divides a graph into two parts of exactly given sizes with little weight between them.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

struct Bisection {
  std::vector<std::uint8_t> part;  ///< [vertex] 0 or 1
  Cost cut = 0;                    ///< weight of the edges between the parts
};

/// Multilevel bisection: coarsens the graph, grows a part around a random vertex, and refines the parts on
/// every level back to the original graph.
/// @param n_first  the exact number of vertices of part 0.
/// Source: Hendrickson and Leland, SC 1995; refinement: Fiduccia and Mattheyses, DAC 1982. Our change: exact
/// sizes.
[[nodiscard]] Bisection bisect(Graph graph, std::int32_t n_first, Random& random, WorkMeter& work);

}  // namespace corewise::search
