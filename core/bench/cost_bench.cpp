/// What one evaluation costs: a swap evaluated incrementally compared with the same objective evaluated from
/// scratch.
///
/// items_per_second is evaluations per second; the ratio of the two rows of an objective is what the
/// increments save.
#include <benchmark/benchmark.h>

#include <numeric>

#include "corewise/random.hpp"
#include "mapping_cases.hpp"
#include "solvers/load_cases.hpp"
#include "solvers/search/hop_cost.hpp"
#include "solvers/search/load_cost.hpp"

namespace corewise::search {
namespace {

constexpr std::int32_t n_nodes = 16;
constexpr std::int32_t n_ranks = 8 * n_nodes;

/// Eight random partners a rank on Draco's 16 nodes: 128 ranks.
struct Setting {
  Setting() {
    Random random(1);
    std::vector<testing::Message> messages;
    for (std::int32_t i = 0; i < 4 * n_ranks; ++i) {
      messages.push_back({static_cast<std::int32_t>(random.below(n_ranks)),
                          static_cast<std::int32_t>(random.below(n_ranks)), 1 + random.below(100)});
    }
    traffic = testing::traffic_of(n_ranks, messages);
    std::iota(slots.begin(), slots.end(), 0);
  }
  Machine machine = testing::draco(n_nodes);
  SlotTree tree{machine, {}};
  Traffic traffic;
  std::vector<std::int32_t> slots = std::vector<std::int32_t>(n_ranks);
};

template <typename CostModel>
void evaluate_swaps(benchmark::State& state, CostModel& cost) {
  Random random(2);
  for (auto _ : state) {
    const auto u = static_cast<std::int32_t>(random.below(n_ranks));
    const auto v = static_cast<std::int32_t>((u + 1 + random.below(n_ranks - 1)) % n_ranks);
    benchmark::DoNotOptimize(cost.delta(u, v));
  }
  state.SetItemsProcessed(state.iterations());
}

void hop_bytes_of_swap(benchmark::State& state) {
  const Setting setting;
  const Graph graph = byte_graph(setting.traffic.folded(), n_ranks);
  WorkMeter work(std::nullopt);
  HopCost cost(graph, Mapping(setting.tree, setting.slots), 1, work);
  evaluate_swaps(state, cost);
}
BENCHMARK(hop_bytes_of_swap);

void loads_of_swap(benchmark::State& state, const char* name) {
  const Setting setting;
  const PlacedProblem problem = with_places({setting.traffic, setting.machine, objective(name)});
  const LoadModel model = testing::load_model_of(problem, setting.tree);
  WorkMeter work(std::nullopt);
  LoadCost cost(model, Mapping(setting.tree, setting.slots), 1, work);
  evaluate_swaps(state, cost);
}
BENCHMARK_CAPTURE(loads_of_swap, time, "time");
BENCHMARK_CAPTURE(loads_of_swap, congestion, "congestion");

void from_scratch(benchmark::State& state, const char* name) {
  const Setting setting;
  std::vector<std::int32_t> cores(setting.slots);
  const Placement placement = testing::placed(cores);
  for (auto _ : state) {
    benchmark::DoNotOptimize(objective(name).evaluate(setting.traffic, setting.machine, placement));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(from_scratch, hop_bytes, "hop-bytes");
BENCHMARK_CAPTURE(from_scratch, time, "time");
BENCHMARK_CAPTURE(from_scratch, congestion, "congestion");

}  // namespace
}  // namespace corewise::search
