// The table of workloads. The paper does not give the patterns of its motifs, so these are our choice.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "kernels/input_error.hpp"
#include "workload.hpp"

namespace corewise::workloads {
namespace {

constexpr Workload table[] = {
    {"black-scholes", "prices of European options from a global array (paper: 6e9 options)", "options", 1e-3,
     false, run_black_scholes},
    {"motif_1",
     "temporal chain 01,12,23 on a hash multimap (paper: 964 K edges; the choice of the pattern is ours)",
     "edges", 1, true, run_motif_1},
    {"motif_2", "temporal 3-cycle 01,12,20 on a hash multimap (the choice of the pattern is ours)", "edges",
     1, true, run_motif_2},
    {"motif_5", "temporal pattern 01,12,23,30,10 on a hash multimap (the choice of the pattern is ours)",
     "edges", 1, true, run_motif_5},
    {"pi", "points of the unit square in the quarter circle (paper: 1e10 points)", "points", 1e-2, false,
     run_pi},
    {"triangles", "triangles of an R-MAT graph in global arrays (paper: 2^23 vertices, 134 M edges)", "edges",
     1.0 / 128, true, run_triangles},
};

}  // namespace

std::span<const Workload> workloads() { return table; }

const Workload& workload(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Workload::name);
  if (found != std::end(table)) return *found;
  std::string names;
  for (const Workload& row : table) names += (names.empty() ? "" : ", ") + std::string(row.name);
  throw InputError("found no workload \"" + std::string(name) + "\"; expected one of " + names);
}

std::uint64_t Settings::scaled(double paper_size) const {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(scale * paper_size)));
}

void Measure::operator()(std::uint64_t size, const std::function<std::string()>& work) const {
  using Clock = std::chrono::steady_clock;
  for (int repeat = 0; repeat < repeats_; ++repeat) {
    const Clock::time_point start = Clock::now();
    const std::string result = work();
    report_(std::chrono::duration<double>(Clock::now() - start).count(), size, result);
  }
}

}  // namespace corewise::workloads
