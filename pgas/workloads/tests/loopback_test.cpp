// Tests of the workloads on the runtime: results equal those of the serial kernels for any number of nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <corewise/pgas/pgas.hpp>
#include <numeric>

#include "kernels/black_scholes.hpp"
#include "kernels/pi.hpp"
#include "kernels/triangles.hpp"
#include "workload.hpp"

namespace corewise::workloads {
namespace {

/// Nodes and workers of a run.
struct Setting {
  int nodes;
  int workers;
};

class OnNodes : public testing::TestWithParam<Setting> {
 protected:
  /// The result that a workload reports, checked to be the same in two runs.
  [[nodiscard]] static std::string run(const char* name, Settings settings) {
    pgas::Options options;
    options.loopback_nodes = GetParam().nodes;
    options.workers = GetParam().workers;
    options.helpers = 0;
    std::vector<std::string> results;
    const auto report = [&](double, std::uint64_t, const std::string& result) { results.push_back(result); };
    pgas::run_loopback(options, [&] { workload(name).run(settings, Measure(2, report)); });
    EXPECT_EQ(results.size(), 2u);
    EXPECT_EQ(results.front(), results.back());
    return results.front();
  }
};

INSTANTIATE_TEST_SUITE_P(Loopback, OnNodes,
                         testing::Values(Setting{1, 0}, Setting{1, 2}, Setting{2, 0}, Setting{3, 1}),
                         [](const testing::TestParamInfo<Setting>& info) {
                           return std::to_string(info.param.nodes) + "nodes_" +
                                  std::to_string(info.param.workers) + "workers";
                         });

TEST(Register, is_sorted_by_name) { EXPECT_TRUE(std::ranges::is_sorted(workloads(), {}, &Workload::name)); }

TEST_P(OnNodes, black_scholes_adds_up_the_prices) {
  Settings settings;
  settings.scale = 5001 / 6e9;
  settings.seed = 3;
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < 5001; ++i) sum += price_in_millionths(synthetic_option(Stream(3), i));
  EXPECT_EQ(run("black-scholes", settings), std::to_string(sum));
}

TEST_P(OnNodes, pi_counts_the_points) {
  Settings settings;
  settings.scale = 100'003 / 1e10;
  const std::uint64_t inside = points_in_circle(Stream(1), 0, 100'003);
  EXPECT_EQ(run("pi", settings), std::to_string(pi_from(inside, 100'003)));
}

TEST_P(OnNodes, triangles_are_those_of_the_serial_counter) {
  Settings settings;
  settings.scale = 1024 / 8388608.0;
  const Rmat graph{10, 16, Stream(1)};
  std::vector<Edge> edges;
  for (std::uint64_t k = 0; k < graph.n_edges(); ++k) edges.push_back(graph.edge(k));
  std::vector<std::uint32_t> degrees(graph.n_vertices(), 0);
  add_degrees(edges, degrees);
  const auto ranks = ranks_by_degree(degrees);
  RowsBuilder builder(ranks, 0, 1);
  builder.count(edges);
  builder.add(edges);
  EXPECT_EQ(run("triangles", settings), std::to_string(count_triangles(std::move(builder).finish())));
}

TEST_P(OnNodes, motifs_are_those_of_the_serial_counter) {
  Settings settings;
  settings.scale = 0.003;
  settings.delta_s = 30 * 24 * 3600;
  const auto edges = synthetic_temporal_edges(static_cast<std::uint32_t>(settings.scaled(159'316)),
                                              static_cast<std::uint32_t>(settings.scaled(964'437)), 1);
  const TemporalGraph graph(edges);
  const auto n_edges = static_cast<std::uint32_t>(edges.size());
  const std::pair<const char*, const char*> motifs[] = {
      {"motif_1", "01,12,23"}, {"motif_2", "01,12,20"}, {"motif_5", "01,12,23,30,10"}};
  for (const auto& [name, pattern] : motifs) {
    const std::uint64_t serial = count_motif(graph, Pattern(pattern), settings.delta_s, 0, n_edges);
    EXPECT_EQ(run(name, settings), std::to_string(serial)) << pattern;
  }
  settings.pattern = Pattern("01");
  EXPECT_EQ(run("motif_1", settings), std::to_string(count_motif(graph, Pattern("01"), 1, 0, n_edges)));
}

}  // namespace
}  // namespace corewise::workloads
