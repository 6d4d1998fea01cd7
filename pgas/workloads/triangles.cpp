// Workload triangles: rows of neighbours in global arrays, distributed over the nodes by rank of their
// vertex.
//
// Counting the triangles of a row needs the rows of its neighbours (the middle vertices), which may be on any
// node. So every node reads all rows, many at a time, and counts the triangles whose middle vertex it stores.
// Rows are read in bulk, once by each node, and the middle vertices divide the counting among the nodes.
#include "kernels/triangles.hpp"

#include <algorithm>
#include <bit>
#include <corewise/pgas/pgas.hpp>
#include <fstream>
#include <memory>

#include "kernels/input_error.hpp"
#include "kernels/snap.hpp"
#include "workload.hpp"

namespace corewise::workloads {
namespace {

constexpr std::size_t batch = 1 << 16;  // edges that a node reads at a time

/// All edges, distributed over the nodes.
struct EdgeList {
  pgas::GlobalArray<Edge> edges;
  std::uint32_t n_vertices = 0;
};

EdgeList generate(const Settings& settings) {
  constexpr double paper_vertices = 8'388'608;
  const int scale = std::bit_width(settings.scaled(paper_vertices)) - 1;
  const Rmat graph{std::clamp(scale, 1, 30), 16, Stream(settings.seed)};
  EdgeList list{pgas::GlobalArray<Edge>::create(graph.n_edges()), graph.n_vertices()};
  pgas::for_each(list.edges, [graph](std::size_t k, Edge& edge) { edge = graph.edge(k); });
  return list;
}

EdgeList read(const std::string& name, std::uint64_t skip_lines) {
  std::ifstream in(name);
  if (!in) throw InputError(name + " can't be opened; expected a file of lines \"src dst\"");
  const std::vector<Edge> edges = read_edges(in, {name, skip_lines});
  EdgeList list{pgas::GlobalArray<Edge>::create(edges.size()), 0};
  for (const Edge& edge : edges) list.n_vertices = std::max({list.n_vertices, edge.a + 1, edge.b + 1});
  list.edges.put(0, edges);
  return list;
}

/// Calls visit(edges) for all edges of the list, batch by batch.
template <class Visit>
void for_all_batches(const EdgeList& list, Visit visit) {
  std::vector<Edge> some;
  for (std::size_t first = 0; first < list.edges.size(); first += batch) {
    some.resize(std::min(batch, list.edges.size() - first));
    list.edges.get(first, some);
    visit(std::span<const Edge>(some));
  }
}

/// The rows of all nodes, each in the layout of `Rows`: offsets [node * (n_rows + 1) + row] and targets
/// [node * max_targets + offset].
struct SharedRows {
  pgas::GlobalArray<std::uint64_t> offsets;
  pgas::GlobalArray<std::uint32_t> targets;
  std::uint32_t n_vertices = 0;
  std::size_t n_rows = 0;       ///< on each node; a node with fewer repeats its last offset
  std::size_t max_targets = 0;  ///< space for targets on each node

  [[nodiscard]] RowsView own() const {
    return {offsets.local(), targets.local(), static_cast<std::uint32_t>(pgas::here()),
            static_cast<std::uint32_t>(pgas::n_nodes())};
  }
};

std::vector<std::uint32_t> ranks_of(const EdgeList& list) {
  auto degrees = pgas::GlobalArray<std::uint32_t>::create(list.n_vertices);
  pgas::for_each(list.edges, [degrees](Edge& edge) {
    degrees.add_nb(edge.a, 1);
    degrees.add_nb(edge.b, 1);
  });
  std::vector<std::uint32_t> all(list.n_vertices);
  degrees.get(0, all);
  degrees.destroy();
  return ranks_by_degree(all);
}

Rows build_own_rows(const EdgeList& list, pgas::GlobalArray<std::uint32_t> rank_of_vertex) {
  std::vector<std::uint32_t> ranks(list.n_vertices);
  rank_of_vertex.get(0, ranks);
  RowsBuilder builder(ranks, static_cast<std::uint32_t>(pgas::here()),
                      static_cast<std::uint32_t>(pgas::n_nodes()));
  for_all_batches(list, [&](std::span<const Edge> edges) { builder.count(edges); });
  for_all_batches(list, [&](std::span<const Edge> edges) { builder.add(edges); });
  return std::move(builder).finish();
}

SharedRows share_rows(EdgeList list) {
  const auto n_nodes = static_cast<std::size_t>(pgas::n_nodes());
  auto rank_of_vertex = pgas::GlobalArray<std::uint32_t>::create(list.n_vertices);
  rank_of_vertex.put(0, ranks_of(list));
  auto built = pgas::GlobalArray<Rows*>::create(n_nodes);  // [node], until the sizes of all rows are known
  const auto lengths = pgas::call_all([list, rank_of_vertex, built] {
    Rows* const rows = new Rows(build_own_rows(list, rank_of_vertex));
    built.local()[0] = rows;
    return rows->targets.size();
  });
  SharedRows shared;
  shared.n_vertices = list.n_vertices;
  shared.n_rows = (list.n_vertices + n_nodes - 1) / n_nodes;
  shared.max_targets = std::max<std::size_t>(1, *std::ranges::max_element(lengths));
  shared.offsets = pgas::GlobalArray<std::uint64_t>::create(n_nodes * (shared.n_rows + 1));
  shared.targets = pgas::GlobalArray<std::uint32_t>::create(n_nodes * shared.max_targets);
  pgas::on_all([shared, built] {
    const std::unique_ptr<const Rows> rows(built.local()[0]);
    const auto rest = std::ranges::copy(rows->offsets, shared.offsets.local().begin()).out;
    std::fill(rest, shared.offsets.local().end(), rows->offsets.back());
    std::ranges::copy(rows->targets, shared.targets.local().begin());
  });
  built.destroy();
  rank_of_vertex.destroy();
  list.edges.destroy();
  return shared;
}

/// Number of triangles of rows first, ..., last - 1 of a node whose middle vertex is stored on this node.
std::uint64_t count_run(const SharedRows& shared, std::size_t node, std::size_t first, std::size_t last) {
  std::vector<std::uint64_t> offsets(last - first + 1);
  shared.offsets.get(node * (shared.n_rows + 1) + first, offsets);
  std::vector<std::uint32_t> targets(offsets.back() - offsets.front());
  shared.targets.get(node * shared.max_targets + offsets.front(), targets);
  static thread_local Marks marks;  // no task waits while it uses them, so tasks of a thread don't conflict
  marks.grow(shared.n_vertices);
  std::uint64_t found = 0;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    const std::span<const std::uint32_t> neighbours(targets.data() + (offsets[row] - offsets.front()),
                                                    offsets[row + 1] - offsets[row]);
    found += triangles_of(neighbours, shared.own(), marks);
  }
  return found;
}

std::uint64_t count(const SharedRows& shared) {
  auto found = pgas::GlobalArray<std::uint64_t>::create(static_cast<std::size_t>(pgas::n_nodes()));
  pgas::on_all([shared, found] {
    const auto n_nodes = static_cast<std::size_t>(pgas::n_nodes());
    const std::size_t run = std::clamp<std::size_t>(shared.n_rows / (64 * n_nodes), 1, 4096);
    const std::size_t runs_of_node = (shared.n_rows + run - 1) / run;
    const auto here = static_cast<std::size_t>(pgas::here());
    const auto count_one = [=](std::size_t i) {
      const std::size_t node = (here + i / runs_of_node) % n_nodes;  // nodes read each other's rows in turn
      const std::size_t first = i % runs_of_node * run;
      found.add_nb(here, count_run(shared, node, first, std::min(first + run, shared.n_rows)));
    };
    pgas::parallel_for_here(0, n_nodes * runs_of_node, count_one, {.chunk = 1, .in_flight = 4});
  });
  std::uint64_t total = 0;
  for (std::size_t node = 0; node < found.size(); ++node) total += found.get(node);
  found.destroy();
  return total;
}

}  // namespace

void run_triangles(const Settings& settings, const Measure& measure) {
  const EdgeList list = settings.input ? read(*settings.input, settings.skip_lines) : generate(settings);
  const std::uint64_t n_edges = list.edges.size();
  SharedRows shared = share_rows(list);
  measure(n_edges, [&shared] { return std::to_string(count(shared)); });
  shared.offsets.destroy();
  shared.targets.destroy();
}

}  // namespace corewise::workloads
