// Where on two nodes of four cores do eight ranks of a ring run best, if every other rank is silent to the
// next?
//
// The ring visits ranks 0, 2, 4, 6, 1, 3, 5, 7: block order cuts it often, a good placement only twice.
#include <array>
#include <cstdio>
#include <exception>
#include <vector>

#include "corewise/error.hpp"
#include "corewise/solver.hpp"

int main() {
  try {
    using corewise::Rank;
    constexpr std::array ring{0, 2, 4, 6, 1, 3, 5, 7};
    std::vector<corewise::MatrixEntry> entries;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      entries.push_back({Rank{ring[i]}, Rank{ring[(i + 1) % ring.size()]}, 1000, 1});
    }
    const corewise::Traffic traffic =
        corewise::Traffic::of(corewise::CommMatrix::from_entries(static_cast<int>(ring.size()), entries));
    constexpr std::array arities{4, 2};  // lowest level first: four cores a node, two nodes
    constexpr std::array<std::uint32_t, 2> distances{1, 10};  // within a node, between nodes
    const corewise::Machine machine = corewise::make_tree_machine(arities, distances);

    const corewise::MappingProblem problem{traffic, machine, corewise::objective("hop-bytes")};
    const corewise::Solution best = corewise::solve(problem, "auto", {});
    std::printf("hop-bytes %.0f%s; cores of ranks 0 to 7:", best.score.values.front(),
                best.proven ? ", proven optimal" : "");
    for (int rank = 0; rank < best.placement.n_ranks(); ++rank) {
      std::printf(" %d", corewise::raw(best.placement.core(Rank{rank})));
    }
    std::printf("\n");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "map_ring: %s\n", error.what());
    return 1;
  }
}
