// The workloads without the PGAS runtime: the same kernels with plain MPI, and the serial triangle counter.
//
// Usage: plain NAME SCALE REPEATS. Prints "seconds result" for each repeat.
#include <mpi.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "kernels/black_scholes.hpp"
#include "kernels/pi.hpp"
#include "kernels/triangles.hpp"

namespace {

using namespace corewise::workloads;

int rank_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// Measures the time of work(). Rank 0 prints its result.
void measure(int repeats, const std::function<std::string()>& work) {
  for (int repeat = 0; repeat < repeats; ++repeat) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = std::chrono::steady_clock::now();
    const std::string result = work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (rank_here() == 0) std::cout << seconds.count() << ' ' << result << std::endl;
  }
}

/// This rank's part [first, last) of 0 .. n - 1.
struct Part {
  explicit Part(std::uint64_t n) {
    int n_ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    const std::uint64_t block =
        (n + static_cast<std::uint64_t>(n_ranks) - 1) / static_cast<std::uint64_t>(n_ranks);
    first = std::min(n, block * static_cast<std::uint64_t>(rank_here()));
    last = std::min(n, first + block);
  }
  std::uint64_t first, last;
};

std::int64_t sum_of_all(std::int64_t own) {
  std::int64_t sum = 0;
  MPI_Allreduce(&own, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

void black_scholes(double scale, int repeats) {
  const Part part(static_cast<std::uint64_t>(std::llround(scale * 6e9)));
  std::vector<Option> options;
  for (std::uint64_t i = part.first; i < part.last; ++i) options.push_back(synthetic_option(Stream(1), i));
  measure(repeats, [&] {
    std::int64_t own = 0;
    for (const Option& option : options) own += price_in_millionths(option);
    return std::to_string(sum_of_all(own));
  });
}

void pi(double scale, int repeats) {
  const auto points = static_cast<std::uint64_t>(std::llround(scale * 1e10));
  const Part part(points);
  measure(repeats, [&] {
    const auto own = static_cast<std::int64_t>(points_in_circle(Stream(1), part.first, part.last));
    return std::to_string(pi_from(static_cast<std::uint64_t>(sum_of_all(own)), points));
  });
}

void triangles(double scale, int repeats) {
  const Rmat graph{static_cast<int>(std::lround(std::log2(scale * 8'388'608))), 16, Stream(1)};
  std::vector<Edge> edges;
  for (std::uint64_t k = 0; k < graph.n_edges(); ++k) edges.push_back(graph.edge(k));
  std::vector<std::uint32_t> degrees(graph.n_vertices(), 0);
  add_degrees(edges, degrees);
  const std::vector<std::uint32_t> ranks = ranks_by_degree(degrees);
  RowsBuilder builder(ranks, 0, 1);
  builder.count(edges);
  builder.add(edges);
  const Rows rows = std::move(builder).finish();
  measure(repeats, [&] { return std::to_string(count_triangles(rows)); });
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string name = argc == 4 ? argv[1] : "";
  const auto run = name == "black-scholes" ? black_scholes : name == "pi" ? pi : triangles;
  if (argc == 4) run(std::atof(argv[2]), std::atoi(argv[3]));
  MPI_Finalize();
  return argc == 4 ? 0 : 2;
}
