/// SubsetEnumeration: all sets of a size whose cut is within a limit, found by letting vertices in or keeping
/// them out.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

/// Counts what a search has looked at, over all its parts.
struct StepBudget {
  std::uint64_t most = 0;
  const Deadline& deadline;
  std::uint64_t steps = 0;
  bool exhausted = false;

  /// False once the limits are used up.
  bool spend() {
    if (++steps > most || (steps % 4096 == 0 && deadline.passed())) exhausted = true;
    return !exhausted;
  }
};

/// Weights as the growth of sets needs them.
class CutGraph {
 public:
  /// @param weight  [u * n + v]; may be negative: with all signs turned round the largest cuts are found.
  CutGraph(int n, std::vector<Cost> weight)
      : n_(n), weight_(std::move(weight)), vertex_cost_(n, 0), lightest_(static_cast<std::size_t>(n) * n, 0) {
    for (int v = 0; v < n; ++v) {
      std::vector<Cost> row(this->row(v), this->row(v) + n);
      row.erase(row.begin() + v);
      std::ranges::sort(row);
      for (int i = 1; i < n; ++i) lightest_[v * n + i] = lightest_[v * n + i - 1] + row[i - 1];
    }
    find_interchangeable();
  }
  /// What each vertex adds to the cut when it is let in.
  void set_vertex_costs(std::vector<Cost> vertex_cost) {
    vertex_cost_ = std::move(vertex_cost);
    find_interchangeable();
  }
  /// From now on interchangeable vertices count as different: for lists of all sets rather than of one of
  /// each sort.
  void distinguish_all() {
    for (int v = 0; v < n_; ++v) interchangeable_[v] = Subset{1} << v;
  }
  [[nodiscard]] Cost vertex_cost(int v) const { return vertex_cost_[v]; }
  [[nodiscard]] int n() const { return n_; }
  [[nodiscard]] const Cost* row(int v) const { return &weight_[static_cast<std::size_t>(v) * n_]; }
  /// Weight from v to any `count` other vertices, at least.
  [[nodiscard]] Cost lightest(int v, int count) const { return lightest_[v * n_ + count]; }
  /// Vertices that can change places with v without anyone noticing, padding ones say; itself among them.
  [[nodiscard]] Subset interchangeable(int v) const { return interchangeable_[v]; }
  /// The set with the first interchangeable vertices of every sort in place of its own.
  [[nodiscard]] Subset canonical(Subset set) const {
    Subset result = 0;
    while (set != 0) {
      Subset sort = interchangeable_[std::countr_zero(set)];
      const Subset members = set & sort;
      set &= ~sort;
      for (int i = std::popcount(members); i > 0; --i, sort &= sort - 1) result |= sort & -sort;
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
    if (vertex_cost_[u] != vertex_cost_[v]) return false;
    for (int w = 0; w < n_; ++w) {
      if (w != u && w != v && row(u)[w] != row(v)[w]) return false;
    }
    return true;
  }

  int n_;
  std::vector<Cost> weight_;
  std::vector<Cost> vertex_cost_;        ///< [v]
  std::vector<Cost> lightest_;           ///< [v * n + count]
  std::vector<Subset> interchangeable_;  ///< [v]
};

template <typename Use>
class SubsetEnumeration {
 public:
  /// @param use  called with each set; true ends the growth.
  SubsetEnumeration(const CutGraph& graph, StepBudget& count, Use use)
      : graph_(graph), budget_(count), use_(use) {}

  /// Sets of `size` vertices that hold all of `within` and otherwise members of `open` alone.
  /// @param most_cut  weight of the pairs with one end in the set, and of joining it, at most.
  /// @return true when `use` or the limits ended it.
  bool run(Subset within, Subset open, int size, Cost most_cut) {
    most_cut_ = most_cut;
    const Subset all = graph_.n() == 64 ? ~Subset{0} : (Subset{1} << graph_.n()) - 1;
    const Subset outside = all & ~within & ~open;
    for_each_vertex(open, [&](int v) {
      to_in_[v] = sum_to(v, within);
      to_out_[v] = graph_.vertex_cost(v) + sum_to(v, outside);
      negative_open_[v] = 0;
      for_each_vertex(open, [&](int u) { negative_open_[v] += std::min<Cost>(0, graph_.row(v)[u]); });
    });
    Cost cut = 0;
    for_each_vertex(within, [&](int v) { cut += graph_.vertex_cost(v) + sum_to(v, outside); });
    return descend(within, open, size - std::popcount(within), cut);
  }

 private:
  Cost sum_to(int v, Subset set) const {
    Cost sum = 0;
    for_each_vertex(set, [&](int u) { sum += graph_.row(v)[u]; });
    return sum;
  }

  /// @param missing  members that must still join.
  /// @param cut      between those inside and those kept out so far.
  bool descend(Subset in, Subset open, int missing, Cost cut) {
    if (!budget_.spend()) return true;
    if (missing < 0 || missing > std::popcount(open)) return false;
    if (missing == 0 || missing == std::popcount(open)) {
      for_each_vertex(open, [&](int v) { cut += missing == 0 ? to_in_[v] : to_out_[v]; });
      return cut <= most_cut_ && use_(missing == 0 ? in : in | open);
    }
    if (least_cut(open, missing, cut) > most_cut_) return false;
    const int v = branching_vertex(open);
    const bool in_first = to_in_[v] >= to_out_[v];
    return in_first ? include(v, in, open, missing, cut) || exclude(v, in, open, missing, cut)
                    : exclude(v, in, open, missing, cut) || include(v, in, open, missing, cut);
  }

  bool include(int v, Subset in, Subset open, int missing, Cost cut) {
    const Subset others = open & ~(Subset{1} << v);
    move(to_in_, v, others, 1);
    const bool ended = descend(in | Subset{1} << v, others, missing - 1, cut + to_out_[v]);
    move(to_in_, v, others, -1);
    return ended;
  }

  /// With its interchangeable vertices: the first of them join before the others.
  bool exclude(int v, Subset in, Subset open, int missing, Cost cut) {
    const Subset kept = open & graph_.interchangeable(v);
    const Subset others = open & ~kept;
    for_each_vertex(kept, [&](int u) {
      cut += to_in_[u];
      move(to_out_, u, others, 1);
    });
    const bool ended = descend(in, others, missing, cut);
    for_each_vertex(kept, [&](int u) { move(to_out_, u, others, -1); });
    return ended;
  }

  void move(std::array<Cost, 64>& to_side, int v, Subset open, int sign) {
    const Cost* row = graph_.row(v);
    for_each_vertex(open, [&](int u) {
      to_side[u] += sign * row[u];
      negative_open_[u] -= sign * std::min<Cost>(0, row[u]);
    });
  }

  /// Every open vertex is cut from one side, and only `missing` of them may join. Seen from those who join,
  /// and from those who don't: each is cut from as many open vertices as stay on the other side.
  Cost least_cut(Subset open, int missing, Cost cut) {
    const int n_open = std::popcount(open);
    Cost if_all_out = cut, if_all_in = cut;
    int i = 0;
    for_each_vertex(open, [&](int v) {
      if_all_out += to_in_[v];
      if_all_in += to_out_[v];
      gain_[i] = to_out_[v] - to_in_[v] + std::max(negative_open_[v], graph_.lightest(v, n_open - missing));
      loss_[i++] = to_in_[v] - to_out_[v] + std::max(negative_open_[v], graph_.lightest(v, missing));
    });
    return std::max(if_all_out + sum_of_least(gain_, n_open, missing),
                    if_all_in + sum_of_least(loss_, n_open, n_open - missing));
  }

  static Cost sum_of_least(std::array<Cost, 64>& values, int n, int count) {
    std::nth_element(values.begin(), values.begin() + (count - 1), values.begin() + n);
    return std::accumulate(values.begin(), values.begin() + count, Cost{0});
  }

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
  std::array<Cost, 64> to_in_{};          ///< [open vertex]: weight to those inside
  std::array<Cost, 64> to_out_{};         ///< [open vertex]: joining, and weight to those kept out
  std::array<Cost, 64> negative_open_{};  ///< [open vertex]: negative weight to open vertices
  std::array<Cost, 64> gain_{};           ///< scratch of least_cut(): what joining adds
  std::array<Cost, 64> loss_{};           ///< likewise: staying out
};

}  // namespace corewise::exact
