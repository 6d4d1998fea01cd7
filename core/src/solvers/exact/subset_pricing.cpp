/// Pricing by enumeration; branches are cut off by the lightest edges that missing members must add.
#include "solvers/exact/subset_pricing.hpp"

#include <algorithm>
#include <numeric>

#include "solvers/exact/ascending_subsets.hpp"

namespace corewise::exact {
namespace {

static_assert(CostedSubset{}.cost == Pricing::kNoSet);

/// The test in cut_off() takes as long as some hundred sets, so small branches are not tested.
constexpr int kLeastMissingToTest = 3;
constexpr int kLeastChoicesToTest = 16;

/// The sets of one class; costs are reduced costs.
class SubsetPricing {
 public:
  using Subsets = AscendingSubsets<SubsetPricing>;

  SubsetPricing(const SetPartitioning& problem, int class_id, const Duals& duals, StepBudget& budget)
      : class_id_(class_id),
        n_(problem.instance.n),
        size_(problem.size(class_id)),
        base_(problem.base(class_id) - duals.of_class[class_id]),
        subsets_(n_, size_, *this),
        cheapest_(n_),
        budget_(budget) {
    for (int v = 0; v < n_; ++v) {
      subsets_.vertex(v) = problem.below.of_vertex[v] - duals.of_vertex[v];
      for (int u = 0; u < n_; ++u) subsets_.pair(v, u) = problem.factor * problem.instance.between(u, v);
    }
  }

  /// [vertex] a set of negative cost that contains it, or none. The cheapest set of all is among these sets.
  std::vector<CostedSubset> negative() {
    prune_above(-1);
    subsets_.run(base_, n_ - size_);
    for (CostedSubset& found : cheapest_) {
      if (found.cost >= 0) found = {};
    }
    return std::move(cheapest_);
  }

  bool list(Cost most_reduced_cost, std::vector<Column>& columns) {
    listed_ = &columns;
    prune_above(most_reduced_cost);
    subsets_.run(base_, n_ - size_);
    return columns.size() <= kMostColumns && !budget_.exhausted();
  }

  /// Bounds completions from below: each missing member adds half of its edges to the other missing members,
  /// at least the lightest ones.
  bool cut_off(int depth, int first, Cost cost, const Subsets::Row& joining) {
    if (listed_ && budget_.exhausted()) return true;
    const int missing = size_ - depth, open = n_ - first;
    if (missing >= kLeastMissingToTest && (open - missing) * missing >= kLeastChoicesToTest) {
      Subsets::Row least;
      const Cost* half = half_lightest(first, first) + missing - 1;
      for (int i = 0; i < open; ++i)
        least[i] = joining[first + i] + half[static_cast<std::ptrdiff_t>(i) * size_];
      std::nth_element(least.begin(), least.begin() + (missing - 1), least.begin() + open);
      if (std::accumulate(least.begin(), least.begin() + missing, cost) > most_cost_) return true;
    }
    budget_.spend(open - missing + 1);
    return false;
  }

  CostedSubset last(int first, const Subsets::Row& joining, const Subsets::Row& pair, Cost cost,
                    Subset members) {
    CostedSubset best;
    for (int v = first; v < n_; ++v) {
      const Cost sum = cost + joining[v] + pair[v];
      if (sum < cheapest_[v].cost) cheapest_[v] = {sum, members | Subset{1} << v};
      if (sum < best.cost) best = {sum, members | Subset{1} << v};
    }
    if (!listed_) {
      most_cost_ =
          std::min(most_cost_, best.cost / 2);  // far from the optimum, nearly all sets can be negative
    } else if (best.cost <= most_cost_) {
      for (int v = first; v < n_ && listed_->size() <= kMostColumns; ++v) {
        const Cost sum = cost + joining[v] + pair[v];
        if (sum <= most_cost_) listed_->push_back({members | Subset{1} << v, sum, class_id_});
      }
    }
    return best;
  }

  void found(int v, const CostedSubset& best) {
    if (best.cost < cheapest_[v].cost) cheapest_[v] = best;
  }

 private:
  void prune_above(Cost most_cost) {
    most_cost_ = most_cost;
    half_lightest_.assign(static_cast<std::size_t>(n_) * n_ * size_, 0);
    std::vector<Cost> row;
    for (int first = 0; first < n_; ++first) {
      for (int v = first; v < n_; ++v) {
        row.clear();
        for (int u = first; u < n_; ++u) {
          if (u != v) row.push_back(subsets_.pair(v, u));
        }
        std::ranges::sort(row);
        Cost sum = 0;
        for (int i = 1; i < std::min(size_, n_ - first); ++i)
          half_lightest(first, v)[i] = floor_divide(sum += row[i - 1], 2);
      }
    }
  }

  /// [i] half of the least sum of i edges from v to vertices from `first` on.
  Cost* half_lightest(int first, int v) {
    return &half_lightest_[(static_cast<std::size_t>(first) * n_ + v) * size_];
  }

  int class_id_;
  int n_;
  int size_;
  Cost base_;
  Subsets subsets_;
  std::vector<CostedSubset> cheapest_;  // [vertex]
  StepBudget& budget_;
  std::vector<Cost> half_lightest_;
  Cost most_cost_ = Pricing::kNoSet;
  std::vector<Column>* listed_ = nullptr;
};

using CheapestOfClass = std::vector<CostedSubset>;  // [vertex]

/// @param of_class  [class] empty for classes without sets.
Pricing merged(const std::vector<CheapestOfClass>& of_class, std::size_t n) {
  Pricing all{std::vector<Cost>(n, Pricing::kNoSet), std::vector<VertexGroup>(n),
              std::vector<Cost>(of_class.size(), Pricing::kNoSet)};
  for (std::size_t class_id = 0; class_id < of_class.size(); ++class_id) {
    for (std::size_t v = 0; v < of_class[class_id].size(); ++v) {
      const auto& [cost, members] = of_class[class_id][v];
      if (members == 0) continue;
      all.least[class_id] = std::min(all.least[class_id], cost);
      const Cost share = floor_divide(cost, std::popcount(members));
      if (share >= all.share[v]) continue;
      all.share[v] = share;
      all.set[v] = {static_cast<int>(class_id), members};
    }
  }
  return all;
}

}  // namespace

Pricing price_columns(const std::vector<Column>& columns, const Duals& duals) {
  const std::size_t n = duals.of_vertex.size();
  std::vector<CheapestOfClass> of_class(duals.of_class.size());
  for (const Column& column : columns) {
    CheapestOfClass& cheapest = of_class[column.class_id];
    if (cheapest.empty()) cheapest.resize(n);
    const Cost cost = column.cost - duals.of(column.members, column.class_id);
    for_each_vertex(column.members, [&](int v) {
      if (cost < cheapest[v].cost) cheapest[v] = {cost, column.members};
    });
  }
  return merged(of_class, n);
}

Pricing price_negative_sets(const SetPartitioning& problem, const Duals& duals, StepBudget& budget) {
  std::vector<CheapestOfClass> of_class(problem.instance.classes.size());
  for (const int class_id : problem.classes())
    of_class[class_id] = SubsetPricing(problem, class_id, duals, budget).negative();
  return merged(of_class, duals.of_vertex.size());
}

void distribute_slack(const Pricing& pricing, Duals& duals) {
  for (std::size_t v = 0; v < duals.of_vertex.size(); ++v) {
    if (pricing.share[v] != Pricing::kNoSet) duals.of_vertex[v] += pricing.share[v];
  }
}

bool list_columns(const SetPartitioning& problem, const Duals& duals, Cost most_reduced_cost,
                  StepBudget& budget, std::vector<Column>& columns) {
  for (const int class_id : problem.classes()) {
    if (!SubsetPricing(problem, class_id, duals, budget).list(most_reduced_cost, columns)) return false;
  }
  for (Column& column : columns) column.cost += duals.of(column.members, column.class_id);
  return true;
}

}  // namespace corewise::exact
