// Counts temporal motifs. A partial match is sent to the node that stores the edges that may extend it.
#include "motif_search.hpp"

#include <algorithm>
#include <corewise/pgas/pgas.hpp>
#include <fstream>

#include "kernels/input_error.hpp"
#include "kernels/snap.hpp"

namespace corewise::workloads {
namespace {

/// An edge in the list of one of its vertices.
struct Incident {
  std::uint32_t number;  ///< position in the order of time
  std::uint32_t other;   ///< the vertex at the other end
  std::int64_t time_s;
};

using Lists = pgas::HashMultimap<std::uint32_t, Incident>;

/// Everything a search step needs. It is sent together with the match.
struct Search {
  Lists out, in;
  pgas::GlobalArray<std::uint64_t> found;  ///< [node] number of matches that it counted
  Pattern pattern;
  std::int64_t delta_s;
};

/// Edges that may extend a match: all edges that leave a vertex, or all that enter it.
struct Candidates {
  std::uint32_t vertex;
  bool leaving;

  [[nodiscard]] const Lists& lists(const Search& search) const { return leaving ? search.out : search.in; }
  [[nodiscard]] bool here(const Search& search) const { return lists(search).owner(vertex) == pgas::here(); }
  [[nodiscard]] std::span<const Incident> values(const Search& search) const {
    return lists(search).local_values(vertex);
  }
};

/// The list to search for the next edge. If both ends of the edge are matched, there are two: prefers a list
/// on this node, and if both are here, the shorter one.
Candidates choose(const Search& search, const Match& match) {
  const auto [src, dst] = search.pattern.edge(match.n_edges);
  const Candidates leaving{match.vertex[src], true}, entering{match.vertex[dst], false};
  if (!match.maps(src)) return entering;
  if (!match.maps(dst) || !entering.here(search)) return leaving;
  if (!leaving.here(search)) return entering;
  return leaving.values(search).size() <= entering.values(search).size() ? leaving : entering;
}

void continue_match(const Search& search, const Match& match);

/// Extends `match` by each candidate. @return the number of complete matches found here. Longer partial
/// matches are continued here or on other nodes, and counted there.
std::uint64_t count_here(const Search& search, const Match& match, const Candidates& candidates) {
  const std::span<const Incident> list = candidates.values(search);
  std::uint64_t found = 0;
  for (auto at = std::ranges::upper_bound(list, match.last, {}, &Incident::number); at != list.end(); ++at) {
    if (at->time_s - match.start_s > search.delta_s) break;
    const TemporalEdge edge = candidates.leaving ? TemporalEdge{candidates.vertex, at->other, at->time_s}
                                                 : TemporalEdge{at->other, candidates.vertex, at->time_s};
    Match longer = match;
    if (!longer.extend(search.pattern, at->number, edge)) continue;
    if (longer.n_edges == search.pattern.n_edges()) {
      ++found;
    } else {
      continue_match(search, longer);
    }
  }
  return found;
}

void continue_match(const Search& search, const Match& match) {
  const Candidates candidates = choose(search, match);
  if (candidates.here(search)) {
    const std::uint64_t found = count_here(search, match, candidates);
    if (found > 0) search.found.add_nb(static_cast<std::size_t>(pgas::here()), found);
    return;
  }
  pgas::spawn_at(candidates.lists(search).owner(candidates.vertex),
                 [search, match] { continue_match(search, match); });
}

std::vector<TemporalEdge> input_edges(const Settings& settings) {
  constexpr double paper_vertices = 159'316, paper_edges = 964'437;
  if (!settings.input) {
    return synthetic_temporal_edges(static_cast<std::uint32_t>(settings.scaled(paper_vertices)),
                                    static_cast<std::uint32_t>(settings.scaled(paper_edges)), settings.seed);
  }
  std::ifstream in(*settings.input);
  if (!in) throw InputError(*settings.input + " can't be opened; expected a file of lines \"src dst time\"");
  return read_temporal_edges(in, {*settings.input, settings.skip_lines});
}

void sort_lists(const Lists& lists) {
  lists.for_each(
      [](std::uint32_t, std::vector<Incident>& values) { std::ranges::sort(values, {}, &Incident::number); });
}

void fill_lists(pgas::GlobalArray<TemporalEdge> edges, const Lists& out, const Lists& in) {
  pgas::for_each(edges, [out, in](std::size_t e, TemporalEdge& edge) {
    const auto number = static_cast<std::uint32_t>(e);
    out.insert_nb(edge.src, {number, edge.dst, edge.time_s});
    in.insert_nb(edge.dst, {number, edge.src, edge.time_s});
  });
  sort_lists(out);
  sort_lists(in);
}

std::uint64_t count(const Search& search, pgas::GlobalArray<TemporalEdge> edges) {
  search.found.fill(0);
  pgas::for_each(edges, [search](std::size_t e, TemporalEdge& edge) {
    Match match;
    if (!match.extend(search.pattern, static_cast<std::uint32_t>(e), edge)) return;
    if (search.pattern.n_edges() == 1) {
      search.found.add_nb(static_cast<std::size_t>(pgas::here()), 1);
    } else {
      continue_match(search, match);
    }
  });
  std::uint64_t total = 0;
  for (std::size_t node = 0; node < search.found.size(); ++node) total += search.found.get(node);
  return total;
}

}  // namespace

void run_motif(std::string_view pattern, const Settings& settings, const Measure& measure) {
  const std::vector<TemporalEdge> input = input_edges(settings);
  auto edges = pgas::GlobalArray<TemporalEdge>::create(input.size());
  edges.put(0, input);
  Search search{Lists::create(input.size()), Lists::create(input.size()),
                pgas::GlobalArray<std::uint64_t>::create(static_cast<std::size_t>(pgas::n_nodes())),
                settings.pattern.value_or(Pattern(pattern)), settings.delta_s};
  fill_lists(edges, search.out, search.in);
  measure(input.size(), [&] { return std::to_string(count(search, edges)); });
  search.out.destroy();
  search.in.destroy();
  search.found.destroy();
  edges.destroy();
}

}  // namespace corewise::workloads
