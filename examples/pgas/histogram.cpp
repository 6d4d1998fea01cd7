// How often does each last digit occur among the first squares? A histogram in global memory: every node
// counts its part, each count an atomic add to wherever the digit's element lies.
//
//     mpirun -n 4 example-pgas-histogram-openmpi
#include <cstdio>

#include "corewise/pgas/pgas.hpp"

namespace pgas = corewise::pgas;

int main() {
  pgas::Options options;
  options.loopback_nodes = 2;  // of the program that is linked without MPI
  return pgas::run(options, [] {
    constexpr std::size_t n_squares = 1'000'000;
    auto histogram = pgas::GlobalArray<long>::create(10);

    pgas::parallel_for(0, n_squares, [histogram](std::size_t i) { histogram.add_nb(i * i % 10, 1); });

    long total = 0;
    for (std::size_t digit = 0; digit < 10; ++digit) {
      const long count = histogram.get(digit);
      std::printf("%zu: %ld\n", digit, count);
      total += count;
    }
    if (total != n_squares) throw pgas::Error("the counts do not add up");
  });
}
