// Parses patterns, extends matches, and counts serially.
#include "kernels/motif.hpp"

#include <algorithm>

#include "kernels/input_error.hpp"

namespace corewise::workloads {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw InputError("pattern \"" + std::string(text) + "\" " + why +
                   "; expected edges in the order of time such as 01,12,20");
}

class Search {
 public:
  Search(const TemporalGraph& graph, const Pattern& pattern, std::int64_t delta_s)
      : graph_(graph), pattern_(pattern), delta_s_(delta_s) {}

  /// Number of complete matches that extend this one.
  [[nodiscard]] std::uint64_t below(const Match& match) const {
    if (match.n_edges == pattern_.n_edges()) return 1;
    const std::span<const std::uint32_t> candidates = shorter_list(match);
    std::uint64_t found = 0;
    for (auto e = std::ranges::upper_bound(candidates, match.last); e != candidates.end(); ++e) {
      const TemporalEdge& edge = graph_.edges()[*e];
      if (edge.time_s - match.start_s > delta_s_) break;
      Match longer = match;
      if (longer.extend(pattern_, *e, edge)) found += below(longer);
    }
    return found;
  }

 private:
  [[nodiscard]] std::span<const std::uint32_t> shorter_list(const Match& match) const {
    const auto [src, dst] = pattern_.edge(match.n_edges);
    if (!match.maps(src)) return graph_.in(match.vertex[dst]);
    const auto leaving = graph_.out(match.vertex[src]);
    if (!match.maps(dst)) return leaving;
    const auto entering = graph_.in(match.vertex[dst]);
    return leaving.size() <= entering.size() ? leaving : entering;
  }

  const TemporalGraph& graph_;
  const Pattern& pattern_;
  std::int64_t delta_s_;
};

}  // namespace

Pattern::Pattern(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at += 3) {
    const std::string_view pair = text.substr(at, 3);
    const auto digit = [](char c) { return c >= '0' && c < '0' + max_vertices; };
    if (pair.size() < 2 || !digit(pair[0]) || !digit(pair[1]) || (pair.size() == 3 && pair[2] != ',') ||
        at + 3 == text.size()) {
      refuse(text, "has no edge at position " + std::to_string(at + 1));
    }
    if (n_edges_ == max_edges) refuse(text, "has more than " + std::to_string(max_edges) + " edges");
    const int known = n_vertices_;
    const std::uint8_t src = number_of(pair[0]), dst = number_of(pair[1]);
    if (n_edges_ > 0 && std::min(src, dst) >= known) {
      refuse(text, "has an edge " + std::string(pair.substr(0, 2)) + " that touches no earlier one");
    }
    edges_[n_edges_++] = {src, dst};
  }
  if (n_edges_ == 0) refuse(text, "has no edge");
}

std::uint8_t Pattern::number_of(char label) {
  const auto end = labels_.begin() + n_vertices_;
  const auto found = std::find(labels_.begin(), end, label);
  if (found == end) labels_[n_vertices_++] = label;
  return static_cast<std::uint8_t>(found - labels_.begin());
}

std::string Pattern::text() const {
  std::string text;
  for (int i = 0; i < n_edges(); ++i) {
    if (i > 0) text += ',';
    text += labels_[edge(i).src];
    text += labels_[edge(i).dst];
  }
  return text;
}

bool Match::extend(const Pattern& pattern, std::uint32_t e, const TemporalEdge& edge) {
  const auto [src, dst] = pattern.edge(n_edges);
  const auto fits = [this](int pattern_vertex, std::uint32_t found) {
    if (maps(pattern_vertex)) return vertex[static_cast<std::size_t>(pattern_vertex)] == found;
    const auto end = vertex.begin() + n_vertices;
    if (std::find(vertex.begin(), end, found) != end) return false;
    vertex[n_vertices++] = found;
    return true;
  };
  // A pattern's vertices are numbered by first appearance, so a new vertex has the number n_vertices. If both
  // ends are new, the source comes first.
  if (!fits(src, edge.src) || !fits(dst, edge.dst)) return false;
  if (n_edges == 0) start_s = edge.time_s;
  last = e;
  ++n_edges;
  return true;
}

std::uint64_t count_motif(const TemporalGraph& graph, const Pattern& pattern, std::int64_t delta_s,
                          std::uint32_t first, std::uint32_t last) {
  const Search search(graph, pattern, delta_s);
  std::uint64_t found = 0;
  for (std::uint32_t e = first; e < last; ++e) {
    Match match;
    if (match.extend(pattern, e, graph.edges()[e])) found += search.below(match);
  }
  return found;
}

}  // namespace corewise::workloads
