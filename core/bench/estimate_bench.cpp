/// What estimates cost: placements a second of the steps of a schedule, beside replaying it.
///
/// items_per_second is placements per second, of 128 ranks on 16 nodes of 8 cores.
#include <benchmark/benchmark.h>

#include <numeric>

#include "corewise/estimate.hpp"
#include "corewise/random.hpp"
#include "corewise/step_times.hpp"
#include "mapping_cases.hpp"

namespace corewise {
namespace {

constexpr std::int32_t n_nodes = 16;
constexpr std::int32_t n_ranks = 8 * n_nodes;

Schedule ring() {
  std::vector<Transfer> transfers;
  for (std::int32_t step = 0; step < n_ranks - 1; ++step) {
    for (std::int32_t i = 0; i < n_ranks; ++i) transfers.push_back({step, i, (i + 1) % n_ranks, 4000});
  }
  return schedule_of_steps(n_ranks, std::move(transfers));
}

Schedule recursive_doubling() {
  std::vector<Transfer> transfers;
  for (std::int32_t k = 0; 1 << k < n_ranks; ++k) {
    for (std::int32_t i = 0; i < n_ranks; ++i) transfers.push_back({k, i, i ^ (1 << k), 4000U << k});
  }
  return schedule_of_steps(n_ranks, std::move(transfers));
}

/// Steps of 128 messages between random ranks.
Schedule random_steps() {
  Random random(1);
  std::vector<Transfer> transfers;
  for (std::int32_t i = 0; i < 8 * n_ranks; ++i) {
    const auto src = static_cast<std::int32_t>(random.below(n_ranks));
    const auto dst = static_cast<std::int32_t>((src + 1 + random.below(n_ranks - 1)) % n_ranks);
    transfers.push_back({i / n_ranks, src, dst, 1 + random.below(10000)});
  }
  return schedule_of_steps(n_ranks, std::move(transfers));
}

/// Block order with two ranks changed, another pair each time.
class Placements {
 public:
  Placements() { std::iota(cores_.begin(), cores_.end(), 0); }
  Placement next() {
    std::swap(cores_[random_.below(n_ranks)], cores_[random_.below(n_ranks)]);
    return testing::placed(cores_);
  }

 private:
  Random random_{2};
  std::vector<std::int32_t> cores_ = std::vector<std::int32_t>(n_ranks);
};

void in_steps(benchmark::State& state, Schedule (*make)()) {
  const Machine machine = testing::draco(n_nodes);
  StepTimes times(make(), machine);
  Placements placements;
  for (auto _ : state) benchmark::DoNotOptimize(times.seconds(placements.next()));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(in_steps, ring, ring);
BENCHMARK_CAPTURE(in_steps, recursive_doubling, recursive_doubling);
BENCHMARK_CAPTURE(in_steps, random, random_steps);

void replayed(benchmark::State& state, Schedule (*make)()) {
  const Machine machine = testing::draco(n_nodes);
  const Schedule schedule = make();
  Placements placements;
  for (auto _ : state) benchmark::DoNotOptimize(estimate(schedule, machine, placements.next()));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(replayed, ring, ring);
BENCHMARK_CAPTURE(replayed, recursive_doubling, recursive_doubling);
BENCHMARK_CAPTURE(replayed, random, random_steps);

}  // namespace
}  // namespace corewise
