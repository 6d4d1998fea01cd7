/// Reads METIS graphs (METIS 5 manual, section 4.1): line i lists the neighbours of vertex i, from 1.
#include <algorithm>

#include "corewise/matrix_io.hpp"
#include "traffic/file_matrix.hpp"
#include "traffic/line_reader.hpp"

namespace corewise {
namespace {

struct Header {
  std::int32_t n_vertices = 0;
  std::uint64_t n_edges = 0;
  bool vertex_sizes = false;
  std::uint64_t n_vertex_weights = 0;
  bool edge_weights = false;
};

struct Neighbour {
  std::int32_t vertex;
  std::uint64_t weight;
};

/// The neighbour lists of all vertices, concatenated.
struct Adjacency {
  std::vector<std::size_t> start{0};
  std::vector<Neighbour> neighbours;
  std::vector<std::int64_t> line_number;  ///< [vertex] for error messages

  [[nodiscard]] std::int32_t n_vertices() const { return static_cast<std::int32_t>(line_number.size()); }
  [[nodiscard]] std::span<Neighbour> of(std::int32_t vertex) {
    return std::span(neighbours).subspan(start[vertex], start[vertex + 1] - start[vertex]);
  }
};

bool by_vertex(const Neighbour& a, const Neighbour& b) { return a.vertex < b.vertex; }

/// Reads `vertices edges [fmt [ncon]]`. The digits of fmt: 1 for vertex sizes, vertex weights, edge weights.
Header read_header(LineReader& lines) {
  if (!lines.next_line_with_content('%')) lines.refuse_file("empty; expected a METIS graph");
  Header header;
  header.n_vertices = lines.next_size("number of vertices");
  header.n_edges = lines.next_amount("edges");
  std::string format(lines.next_token());
  if (format.empty()) return header;
  if (format.size() > 3 || format.find_first_not_of("01") != std::string::npos) {
    lines.refuse(
        concat("found ", LineReader::quoted(format), "; expected the format as up to three digits 0 or 1"));
  }
  format.insert(0, 3 - format.size(), '0');
  header.vertex_sizes = format[0] == '1';
  header.n_vertex_weights = format[1] == '1' ? 1 : 0;
  header.edge_weights = format[2] == '1';
  if (!lines.line_has_more()) return header;
  const std::uint64_t n_constraints = lines.next_amount("weights of each vertex");
  if (header.n_vertex_weights == 1) header.n_vertex_weights = n_constraints;
  lines.expect_line_end();
  return header;
}

void read_vertex(LineReader& lines, const Header& header, Adjacency& graph) {
  const std::int32_t vertex = graph.n_vertices();
  graph.line_number.push_back(lines.line_number());
  if (header.vertex_sizes) lines.next_amount("vertex size");
  for (std::uint64_t i = 0; i < header.n_vertex_weights; ++i) lines.next_amount("vertex weight");
  while (lines.line_has_more()) {
    const std::int32_t neighbour = lines.next_index("vertex", 1, header.n_vertices);
    if (neighbour == vertex) {
      lines.refuse(concat("an edge from vertex ", vertex + 1, " to itself; METIS graphs have none"));
    }
    graph.neighbours.push_back({neighbour, header.edge_weights ? lines.next_amount("bytes") : 1});
  }
  graph.start.push_back(graph.neighbours.size());
}

Adjacency read_adjacency(LineReader& lines, const Header& header) {
  Adjacency graph;
  // A neighbour has at least two bytes. The limit keeps a wrong count from allocating too much.
  const std::size_t most_in_file = lines.file_size_bytes() / 2;
  graph.neighbours.reserve(std::min<std::uint64_t>(header.n_edges, most_in_file / 2) * 2);
  while (lines.next_line()) {
    if (lines.line_starts_with('%')) continue;
    if (graph.n_vertices() == header.n_vertices) {
      if (lines.line_is_empty()) continue;
      lines.refuse(concat("more lines than the ", header.n_vertices, " vertices that the header names"));
    }
    read_vertex(lines, header, graph);
  }
  if (graph.n_vertices() < header.n_vertices) {
    lines.refuse_file(concat("ends after ", graph.n_vertices(), " vertices; its header names ",
                             header.n_vertices,
                             " (a vertex without edges has an empty line): is the file cut off?"));
  }
  if (graph.neighbours.size() != 2 * header.n_edges) {
    lines.refuse_file(concat("has ", graph.neighbours.size(), " neighbours in all; its header names ",
                             header.n_edges, " edges, so expected ", 2 * header.n_edges,
                             ": each edge is in both its vertices' lines"));
  }
  return graph;
}

/// Sorts each list. Refuses a neighbour that appears twice.
void sort_lists(const LineReader& lines, Adjacency& graph) {
  for (std::int32_t v = 0; v < graph.n_vertices(); ++v) {
    const std::span<Neighbour> list = graph.of(v);
    std::sort(list.begin(), list.end(), by_vertex);
    const auto doubled =
        std::adjacent_find(list.begin(), list.end(),
                           [](const Neighbour& a, const Neighbour& b) { return a.vertex == b.vertex; });
    if (doubled != list.end()) {
      lines.refuse_line(graph.line_number[v],
                        concat("names vertex ", doubled->vertex + 1, " twice; expected each neighbour once"));
    }
  }
}

/// Refuses an edge that is not in both lists with the same weight. @pre the lists are sorted.
void check_symmetry(const LineReader& lines, Adjacency& graph) {
  for (std::int32_t v = 0; v < graph.n_vertices(); ++v) {
    for (const Neighbour& neighbour : graph.of(v)) {
      const std::span<Neighbour> other = graph.of(neighbour.vertex);
      const auto back = std::lower_bound(other.begin(), other.end(), Neighbour{v, 0}, by_vertex);
      const bool found = back != other.end() && back->vertex == v;
      if (found && back->weight == neighbour.weight) continue;
      const std::int64_t other_line = graph.line_number[neighbour.vertex];
      lines.refuse_line(
          graph.line_number[v],
          found
              ? concat("edge ", v + 1, "-", neighbour.vertex + 1, " weighs ", neighbour.weight, " here and ",
                       back->weight, " on line ", other_line, "; expected the same on both")
              : concat("names vertex ", neighbour.vertex + 1, ", but line ", other_line,
                       " does not name vertex ", v + 1, "; expected each edge in both its vertices' lines"));
    }
  }
}

}  // namespace

CommMatrix read_metis_graph(const std::string& path) {
  LineReader lines(path);
  const Header header = read_header(lines);
  Adjacency graph = read_adjacency(lines, header);
  sort_lists(lines, graph);
  check_symmetry(lines, graph);

  std::vector<MatrixEntry> entries;
  entries.reserve(header.n_edges);
  for (std::int32_t v = 0; v < header.n_vertices; ++v) {
    for (const Neighbour& neighbour : graph.of(v)) {
      if (neighbour.vertex < v) continue;
      entries.push_back({Rank{v}, Rank{neighbour.vertex}, neighbour.weight, neighbour.weight > 0 ? 1u : 0u});
    }
  }
  return matrix_of_file(path, header.n_vertices, std::move(entries));
}

}  // namespace corewise
