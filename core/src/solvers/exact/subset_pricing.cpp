/// Look: enumeration, pruned by half of everybody's cheapest incident edges.
#include "solvers/exact/subset_pricing.hpp"

#include <algorithm>
#include <numeric>

namespace corewise::exact {
namespace {

/// A test takes as long as going through a few hundred sets.
constexpr int kLeastMissingToTest = 3;
constexpr int kLeastChoicesToTest = 16;

Cost half_of(Cost sum) { return (sum - (sum & 1)) / 2; }

}  // namespace

SubsetPricing::SubsetPricing(const SetPartitioning& partitioning, int class_id, const Duals& duals)
    : class_id_(class_id),
      size_(partitioning.size(class_id)),
      n_(partitioning.instance.n),
      alone_(partitioning.base(class_id) - duals.of_class[class_id]),
      found_(n_) {
  for (int v = 0; v < n_; ++v) {
    vertex_cost_[0][v] = partitioning.below.of_vertex[v] - duals.of_vertex[v];
    for (int u = 0; u < n_; ++u) together_[v][u] = partitioning.factor * partitioning.instance.between(u, v);
  }
}

std::vector<PricedSet> SubsetPricing::cheapest() {
  run();
  return std::move(found_);
}

std::vector<PricedSet> SubsetPricing::overdrawn() {
  prune_above(-1);
  run();
  for (PricedSet& found : found_) {
    if (found.reduced_cost >= 0) found = {};
  }
  return std::move(found_);
}

bool SubsetPricing::list(const ListLimits& limits, std::vector<Column>& sets) {
  listed_ = &sets;
  most_sets_ = limits.most_sets;
  most_steps_ = limits.most_steps;
  deadline_ = limits.deadline;
  prune_above(limits.most_reduced_cost);
  run();
  return sets.size() <= most_sets_ && steps_ <= most_steps_;
}

void SubsetPricing::run() {
  if (size_ == 1) {
    (void)last_member(0, vertex_cost_[0].data(), alone_, 0);
  } else {
    (void)descend(0, 0, alone_, 0);
  }
}

void SubsetPricing::prune_above(Cost most_reduced_cost) {
  most_reduced_cost_ = most_reduced_cost;
  half_incident_.assign(static_cast<std::size_t>(n_) * n_ * size_, 0);
  std::vector<Cost> row;
  for (int first = 0; first < n_; ++first) {
    for (int v = first; v < n_; ++v) {
      row.assign(together_[v].begin() + first, together_[v].begin() + n_);
      row.erase(row.begin() + (v - first));
      std::ranges::sort(row);
      Cost sum = 0;
      Cost* half = &half_incident_[(static_cast<std::size_t>(first) * n_ + v) * size_];
      for (int i = 1; i < std::min(size_, n_ - first); ++i) half[i] = half_of(sum += row[i - 1]);
    }
  }
}

PricedSet SubsetPricing::descend(int depth, int first, Cost reduced_cost, Subset members) {
  if (deadline_ && ++n_asked_ % 4096 == 0 && deadline_->passed()) most_steps_ = 0;
  if (steps_ > most_steps_ || exceeds_limit(depth, first, reduced_cost)) return {};
  const Row& vertex_cost = vertex_cost_[depth];
  const int last = n_ - (size_ - depth);
  Row& next = vertex_cost_[depth + 1];
  PricedSet best;
  steps_ += last - first + 1;
  for (int v = first; v <= last; ++v) {
    for (int u = v + 1; u < n_; ++u) next[u] = vertex_cost[u] + together_[v][u];
    const Subset with_v = members | Subset{1} << v;
    const PricedSet below = depth + 2 == size_
                                ? last_member(v + 1, next.data(), reduced_cost + vertex_cost[v], with_v)
                                : descend(depth + 1, v + 1, reduced_cost + vertex_cost[v], with_v);
    if (below.reduced_cost < found_[v].reduced_cost) found_[v] = below;
    if (below.reduced_cost < best.reduced_cost) best = below;
  }
  return best;
}

/// One of the vertices from `first` on joins the members.
PricedSet SubsetPricing::last_member(int first, const Cost* vertex_cost, Cost reduced_cost, Subset members) {
  Cost least = Pricing::kNoSet;
  int cheapest = first;
  for (int v = first; v < n_; ++v) {
    const Cost sum = reduced_cost + vertex_cost[v];
    if (sum < found_[v].reduced_cost) found_[v] = {sum, members | Subset{1} << v};
    if (sum < least) least = sum, cheapest = v;
  }
  if (listed_ && least <= most_reduced_cost_) keep(first, vertex_cost, reduced_cost, members);
  if (!listed_)
    most_reduced_cost_ =
        std::min(most_reduced_cost_, least / 2);  // at duals far off all sets may be of negative reduced cost
  return {least, members | Subset{1} << cheapest};
}

void SubsetPricing::keep(int first, const Cost* vertex_cost, Cost reduced_cost, Subset members) {
  for (int v = first; v < n_ && listed_->size() <= most_sets_; ++v) {
    if (reduced_cost + vertex_cost[v] <= most_reduced_cost_)
      listed_->push_back({members | Subset{1} << v, reduced_cost + vertex_cost[v], class_id_});
  }
}

/// Whoever joins brings along half of what it costs with the others who join, at least with the cheapest.
bool SubsetPricing::exceeds_limit(int depth, int first, Cost reduced_cost) const {
  const int missing = size_ - depth;
  const int open = n_ - first;
  if (half_incident_.empty() || missing < kLeastMissingToTest ||
      (open - missing) * missing < kLeastChoicesToTest)
    return false;
  Row least;
  const Cost* half = &half_incident_[(static_cast<std::size_t>(first) * n_ + first) * size_ + (missing - 1)];
  for (int i = 0; i < open; ++i)
    least[i] = vertex_cost_[depth][first + i] + half[static_cast<std::ptrdiff_t>(i) * size_];
  std::nth_element(least.begin(), least.begin() + (missing - 1), least.begin() + open);
  return std::accumulate(least.begin(), least.begin() + missing, reduced_cost) > most_reduced_cost_;
}

}  // namespace corewise::exact
