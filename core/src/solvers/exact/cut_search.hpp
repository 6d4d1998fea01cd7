/// CutSearch: all sets of one size whose cut is within a limit, by branch and bound.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "solvers/exact/limits.hpp"
#include "solvers/problem/cost.hpp"
#include "solvers/problem/subset.hpp"

namespace corewise::exact {

/// A graph prepared for CutSearch. The cut of a set counts the weight of the edges with one end in the set.
class CutGraph {
 public:
  /// @param weight  [u * n + v], symmetric. To search for the heaviest cuts, negate all weights.
  CutGraph(int n, std::vector<Cost> weight)
      : n_(n), weight_(std::move(weight)), lightest_(static_cast<std::size_t>(n) * n, 0) {
    for (int v = 0; v < n; ++v) {
      std::vector<Cost> row(this->row(v), this->row(v) + n);
      row.erase(row.begin() + v);
      std::ranges::sort(row);
      for (int i = 1; i < n; ++i) lightest_[v * n + i] = lightest_[v * n + i - 1] + row[i - 1];
    }
    find_interchangeable();
  }
  [[nodiscard]] int n() const { return n_; }
  [[nodiscard]] const Cost* row(int v) const { return &weight_[static_cast<std::size_t>(v) * n_]; }
  /// Least weight that v can have to `count` other vertices together.
  [[nodiscard]] Cost lightest(int v, int count) const { return lightest_[v * n_ + count]; }
  /// v and all vertices with the same edges to all others: exchanging two of them changes no cut. All padding
  /// vertices are interchangeable.
  [[nodiscard]] Subset interchangeable(int v) const { return interchangeable_[v]; }
  /// The representative of all sets that differ only by interchangeable vertices: has the lowest of these.
  [[nodiscard]] Subset canonical(Subset set) const {
    Subset result = 0;
    while (set != 0) {
      Subset alike = interchangeable_[std::countr_zero(set)];
      const Subset members = set & alike;
      set &= ~alike;
      for (int i = std::popcount(members); i > 0; --i, alike &= alike - 1) result |= alike & -alike;
    }
    return result;
  }

 private:
  void find_interchangeable() {
    interchangeable_.assign(n_, 0);
    for (int v = 0; v < n_; ++v) {
      for (int u = 0; u < n_; ++u) interchangeable_[v] |= Subset{are_interchangeable(u, v)} << u;
    }
  }

  bool are_interchangeable(int u, int v) const {
    for (int w = 0; w < n_; ++w) {
      if (w != u && w != v && row(u)[w] != row(v)[w]) return false;
    }
    return true;
  }

  int n_;
  std::vector<Cost> weight_;
  std::vector<Cost> lightest_;           ///< [v * n + count]
  std::vector<Subset> interchangeable_;  ///< [v]
};

/// Includes or excludes one vertex after the other. Finds only one of the sets that differ only by
/// interchangeable vertices.
template <typename Use>
class CutSearch {
 public:
  /// @param use  called with each set; true ends the search.
  CutSearch(const CutGraph& graph, StepBudget& budget, Use use) : graph_(graph), budget_(budget), use_(use) {}

  /// Searches for sets of `size` vertices: all of `within`, and otherwise only members of `open`.
  /// @return whether `use` or the budget ended the search.
  bool run(Subset within, Subset open, int size, Cost most_cut) {
    most_cut_ = most_cut;
    const Subset outside = first_vertices(graph_.n()) & ~within & ~open;
    for_each_vertex(open, [&](int v) {
      to_in_[v] = sum_to(v, within);
      to_out_[v] = sum_to(v, outside);
      negative_open_[v] = 0;
      for_each_vertex(open, [&](int u) { negative_open_[v] += std::min<Cost>(0, graph_.row(v)[u]); });
    });
    Cost cut = 0;
    for_each_vertex(within, [&](int v) { cut += sum_to(v, outside); });
    return descend(within, open, size - std::popcount(within), cut);
  }

 private:
  Cost sum_to(int v, Subset set) const {
    Cost sum = 0;
    for_each_vertex(set, [&](int u) { sum += graph_.row(v)[u]; });
    return sum;
  }

  /// @param open     vertices neither included nor excluded yet.
  /// @param missing  number of open vertices that must still be included.
  /// @param cut      between included and excluded vertices.
  bool descend(Subset in, Subset open, int missing, Cost cut) {
    if (!budget_.spend()) return true;
    if (missing < 0 || missing > std::popcount(open)) return false;
    if (missing == 0 || missing == std::popcount(open)) {
      for_each_vertex(open, [&](int v) { cut += missing == 0 ? to_in_[v] : to_out_[v]; });
      return cut <= most_cut_ && use_(missing == 0 ? in : in | open);
    }
    if (least_cut(open, missing, cut) > most_cut_) return false;
    const int v = branching_vertex(open);
    return to_in_[v] >= to_out_[v] ? include(v, in, open, missing, cut) || exclude(v, in, open, missing, cut)
                                   : exclude(v, in, open, missing, cut) || include(v, in, open, missing, cut);
  }

  bool include(int v, Subset in, Subset open, int missing, Cost cut) {
    const Subset others = open & ~(Subset{1} << v);
    move(to_in_, v, others, 1);
    const bool ended = descend(in | Subset{1} << v, others, missing - 1, cut + to_out_[v]);
    move(to_in_, v, others, -1);
    return ended;
  }

  /// Excludes v and all vertices interchangeable with it: sets with one of these are found with v instead.
  bool exclude(int v, Subset in, Subset open, int missing, Cost cut) {
    const Subset excluded = open & graph_.interchangeable(v);
    const Subset others = open & ~excluded;
    for_each_vertex(excluded, [&](int u) {
      cut += to_in_[u];
      move(to_out_, u, others, 1);
    });
    const bool ended = descend(in, others, missing, cut);
    for_each_vertex(excluded, [&](int u) { move(to_out_, u, others, -1); });
    return ended;
  }

  void move(std::array<Cost, kMostPlaces>& to_side, int v, Subset open, int sign) {
    const Cost* row = graph_.row(v);
    for_each_vertex(open, [&](int u) {
      to_side[u] += sign * row[u];
      negative_open_[u] -= sign * std::min<Cost>(0, row[u]);
    });
  }

  /// A lower bound on the cut of all completions. One bound starts with all open vertices excluded and
  /// includes the cheapest ones. A vertex that is included is cut from the excluded vertices instead of the
  /// included ones, and from the open vertices that remain excluded, at least by its lightest edges. The
  /// other bound starts with all included. The result is the greater of both.
  Cost least_cut(Subset open, int missing, Cost cut) {
    const int n_open = std::popcount(open);
    Cost if_all_out = cut, if_all_in = cut;
    int i = 0;
    for_each_vertex(open, [&](int v) {
      if_all_out += to_in_[v];
      if_all_in += to_out_[v];
      include_[i] =
          to_out_[v] - to_in_[v] + std::max(negative_open_[v], graph_.lightest(v, n_open - missing));
      exclude_[i++] = to_in_[v] - to_out_[v] + std::max(negative_open_[v], graph_.lightest(v, missing));
    });
    return std::max(if_all_out + sum_of_least(include_, n_open, missing),
                    if_all_in + sum_of_least(exclude_, n_open, n_open - missing));
  }

  static Cost sum_of_least(std::array<Cost, kMostPlaces>& values, int n, int count) {
    std::nth_element(values.begin(), values.begin() + (count - 1), values.begin() + n);
    return std::accumulate(values.begin(), values.begin() + count, Cost{0});
  }

  /// The vertex whose cost differs most between both sides.
  int branching_vertex(Subset open) const {
    int best = std::countr_zero(open);
    for_each_vertex(open, [&](int v) {
      if (std::abs(to_in_[v] - to_out_[v]) > std::abs(to_in_[best] - to_out_[best])) best = v;
    });
    return best;
  }

  const CutGraph& graph_;
  StepBudget& budget_;
  Use use_;
  Cost most_cut_ = 0;
  std::array<Cost, kMostPlaces> to_in_{};          ///< [open vertex] weight to included vertices
  std::array<Cost, kMostPlaces> to_out_{};         ///< [open vertex] weight to excluded vertices
  std::array<Cost, kMostPlaces> negative_open_{};  ///< [open vertex] sum of negative weights to open vertices
  std::array<Cost, kMostPlaces> include_{};        ///< scratch of least_cut(): cost of including a vertex
  std::array<Cost, kMostPlaces> exclude_{};        ///< scratch of least_cut(): cost of excluding a vertex
};

}  // namespace corewise::exact
