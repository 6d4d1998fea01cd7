/// Look: enumeration, pruned by half of everybody's cheapest company.
#include "solvers/exact/look.hpp"

#include <algorithm>
#include <numeric>

namespace corewise::proof {
namespace {

/// A test takes as long as going through a few hundred sets.
constexpr int kLeastMissingToTest = 3;
constexpr int kLeastChoicesToTest = 16;

Cost half_of(Cost sum) { return (sum - (sum & 1)) / 2; }

}  // namespace

Look::Look(const GroupFamily& family, int kind, const Prices& prices)
    : kind_(kind),
      size_(family.size(kind)),
      n_(family.instance.n),
      alone_(family.base(kind) - prices.of_kind[kind]),
      found_(n_) {
  for (int v = 0; v < n_; ++v) {
    joining_[0][v] = family.below.of_vertex[v] - prices.of_vertex[v];
    for (int u = 0; u < n_; ++u) together_[v][u] = family.factor * family.instance.between(u, v);
  }
}

std::vector<CheapestSet> Look::cheapest() {
  run();
  return std::move(found_);
}

std::vector<CheapestSet> Look::overdrawn() {
  prune_above(-1);
  run();
  for (CheapestSet& found : found_) {
    if (found.net >= 0) found = {};
  }
  return std::move(found_);
}

bool Look::list(const ListLimits& limits, std::vector<CostedSet>& sets) {
  listed_ = &sets;
  most_sets_ = limits.most_sets;
  most_steps_ = limits.most_steps;
  deadline_ = limits.deadline;
  prune_above(limits.most_net);
  run();
  return sets.size() <= most_sets_ && steps_ <= most_steps_;
}

void Look::run() {
  if (size_ == 1) {
    (void)last_member(0, joining_[0].data(), alone_, 0);
  } else {
    (void)descend(0, 0, alone_, 0);
  }
}

void Look::prune_above(Cost most_net) {
  most_net_ = most_net;
  half_company_.assign(static_cast<std::size_t>(n_) * n_ * size_, 0);
  std::vector<Cost> row;
  for (int first = 0; first < n_; ++first) {
    for (int v = first; v < n_; ++v) {
      row.assign(together_[v].begin() + first, together_[v].begin() + n_);
      row.erase(row.begin() + (v - first));
      std::ranges::sort(row);
      Cost sum = 0;
      Cost* half = &half_company_[(static_cast<std::size_t>(first) * n_ + v) * size_];
      for (int i = 1; i < std::min(size_, n_ - first); ++i) half[i] = half_of(sum += row[i - 1]);
    }
  }
}

CheapestSet Look::descend(int depth, int first, Cost net, Subset members) {
  if (deadline_ && ++n_asked_ % 4096 == 0 && deadline_->passed()) most_steps_ = 0;
  if (steps_ > most_steps_ || too_dear(depth, first, net)) return {};
  const Row& joining = joining_[depth];
  const int last = n_ - (size_ - depth);
  Row& next = joining_[depth + 1];
  CheapestSet best;
  steps_ += last - first + 1;
  for (int v = first; v <= last; ++v) {
    for (int u = v + 1; u < n_; ++u) next[u] = joining[u] + together_[v][u];
    const Subset with_v = members | Subset{1} << v;
    const CheapestSet below = depth + 2 == size_ ? last_member(v + 1, next.data(), net + joining[v], with_v)
                                                 : descend(depth + 1, v + 1, net + joining[v], with_v);
    if (below.net < found_[v].net) found_[v] = below;
    if (below.net < best.net) best = below;
  }
  return best;
}

/// One of the vertices from `first` on joins the members.
CheapestSet Look::last_member(int first, const Cost* joining, Cost net, Subset members) {
  Cost least = CheapestSets::kNoSet;
  int cheapest = first;
  for (int v = first; v < n_; ++v) {
    const Cost sum = net + joining[v];
    if (sum < found_[v].net) found_[v] = {sum, members | Subset{1} << v};
    if (sum < least) least = sum, cheapest = v;
  }
  if (listed_ && least <= most_net_) keep(first, joining, net, members);
  if (!listed_) most_net_ = std::min(most_net_, least / 2);  // at prices far off all sets may be overdrawn
  return {least, members | Subset{1} << cheapest};
}

void Look::keep(int first, const Cost* joining, Cost net, Subset members) {
  for (int v = first; v < n_ && listed_->size() <= most_sets_; ++v) {
    if (net + joining[v] <= most_net_)
      listed_->push_back({members | Subset{1} << v, net + joining[v], kind_});
  }
}

/// Whoever joins brings along half of what it costs with the others who join, at least with the cheapest.
bool Look::too_dear(int depth, int first, Cost net) const {
  const int missing = size_ - depth;
  const int open = n_ - first;
  if (half_company_.empty() || missing < kLeastMissingToTest ||
      (open - missing) * missing < kLeastChoicesToTest)
    return false;
  Row least;
  const Cost* half = &half_company_[(static_cast<std::size_t>(first) * n_ + first) * size_ + (missing - 1)];
  for (int i = 0; i < open; ++i)
    least[i] = joining_[depth][first + i] + half[static_cast<std::ptrdiff_t>(i) * size_];
  std::nth_element(least.begin(), least.begin() + (missing - 1), least.begin() + open);
  return std::accumulate(least.begin(), least.begin() + missing, net) > most_net_;
}

}  // namespace corewise::proof
