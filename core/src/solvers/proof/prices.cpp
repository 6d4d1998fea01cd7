/// Looks at all sets of a size: depth first, vertices ascending, the last member in a tight loop.
#include "solvers/proof/prices.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace corewise::proof {
namespace {

constexpr Cost kUnseen = std::numeric_limits<Cost>::max() / 4;
using Row = std::array<Cost, 64>;  // [vertex]: what joining the set would cost

struct Cheapest {
  Cost net = kUnseen;
  Subset members = 0;
};

class Look {
 public:
  Look(const GroupFamily& family, const Prices& prices) : family_(family), n_(family.instance.n) {
    found_.net.assign(n_, kUnseen);
    found_.members.assign(n_, 0);
    for (int v = 0; v < n_; ++v) joining_[0][v] = family.base[v] - prices[v];
  }

  CheapestSets run() {
    descend(0, 0, 0, 0);
    return std::move(found_);
  }

  /// Also keeps every set of a net cost up to `most_net`, until there are more than `most_sets`.
  bool list(Cost most_net, std::size_t most_sets, std::vector<CostedSet>& sets) {
    listed_ = &sets;
    most_net_ = most_net;
    most_sets_ = most_sets;
    descend(0, 0, 0, 0);
    return sets.size() <= most_sets;
  }

 private:
  Cheapest descend(int depth, int first, Cost net, Subset members) {
    const Row& joining = joining_[depth];
    const int last = n_ - (family_.size - depth);
    Cheapest best;
    if (depth + 1 == family_.size) {
      for (int v = first; v <= last; ++v) {
        const Cost sum = net + joining[v];
        if (sum <= most_net_ && listed_->size() <= most_sets_)
          listed_->push_back({members | Subset{1} << v, sum});
        if (sum < found_.net[v]) take(v, {sum, members | Subset{1} << v});
        if (sum < best.net) best = {sum, members | Subset{1} << v};
      }
      return best;
    }
    Row& next = joining_[depth + 1];
    for (int v = first; v <= last; ++v) {
      const Cost* weight = &family_.instance.weight[static_cast<std::size_t>(v) * n_];
      for (int u = v + 1; u < n_; ++u) next[u] = joining[u] + family_.factor * weight[u];
      const Cheapest below = descend(depth + 1, v + 1, net + joining[v], members | Subset{1} << v);
      if (below.net < found_.net[v]) take(v, below);
      if (below.net < best.net) best = below;
    }
    return best;
  }

  void take(int v, const Cheapest& set) {
    found_.net[v] = set.net;
    found_.members[v] = set.members;
  }

  const GroupFamily& family_;
  int n_;
  CheapestSets found_;
  std::array<Row, 64> joining_;
  std::vector<CostedSet>* listed_ = nullptr;
  Cost most_net_ = std::numeric_limits<Cost>::min();
  std::size_t most_sets_ = 0;
};

}  // namespace

Cost total(const Prices& prices, Subset set) {
  Cost sum = 0;
  for_each_vertex(set, [&](int v) { sum += prices[v]; });
  return sum;
}

std::uint64_t n_sets(int n, int size) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t count = 1;
  for (int i = 1; i <= std::min(size, n - size); ++i) {
    if (count > most / static_cast<std::uint64_t>(n)) return most;
    count =
        count * static_cast<std::uint64_t>(n - std::min(size, n - size) + i) / static_cast<std::uint64_t>(i);
  }
  return count;
}

CheapestSets cheapest_sets(const GroupFamily& family, const Prices& prices) {
  return Look(family, prices).run();
}

bool list_sets(const GroupFamily& family, const Prices& prices, Cost most_net, std::size_t most_sets,
               std::vector<CostedSet>& sets) {
  if (!Look(family, prices).list(most_net, most_sets, sets)) return false;
  for (CostedSet& set : sets) set.cost += total(prices, set.members);
  return true;
}

CheapestSets cheapest_sets(int n, const std::vector<CostedSet>& sets, const Prices& prices) {
  CheapestSets found{std::vector<Cost>(n, kUnseen), std::vector<Subset>(n, 0)};
  for (const CostedSet& set : sets) {
    const Cost net = set.cost - total(prices, set.members);
    for_each_vertex(set.members, [&](int v) {
      if (net >= found.net[v]) return;
      found.net[v] = net;
      found.members[v] = set.members;
    });
  }
  return found;
}

Prices degree_prices(const GroupFamily& family) {
  const int n = family.instance.n;
  Prices prices = family.base;
  for (int v = 0; v < n; ++v) {
    std::vector<Cost> company;
    for (int u = 0; u < n; ++u) {
      if (u != v) company.push_back(family.instance.between(v, u));
    }
    std::ranges::sort(company, std::ranges::greater{});
    Cost heaviest = 0;
    for (int i = 0; i + 1 < family.size; ++i) heaviest += company[i];
    prices[v] += family.factor * heaviest / 2;
  }
  return prices;
}

Prices raise_prices(const std::function<CheapestSets(const Prices&)>& look, const Prices& start,
                    const Ascent& ascent) {
  const std::size_t n = start.size();
  const int size = ascent.size;
  Prices prices = start;
  Prices best = start;
  Cost best_total = std::accumulate(start.begin(), start.end(), Cost{0});
  double step = 1;
  int stale = 0;
  for (int round = 0; round < ascent.rounds && step > 1.0 / 64 && !ascent.deadline.passed(); ++round) {
    const CheapestSets cheapest = look(prices);
    // What is left of the cheapest set of a vertex is shared out: each member takes at most the set's own
    // rest over its size, so no set is overdrawn.
    Cost sum = 0;
    for (std::size_t v = 0; v < n; ++v) {
      const Cost rest = cheapest.net[v] == kUnseen ? 0 : cheapest.net[v];
      prices[v] += rest >= 0 ? rest / size : -((size - 1 - rest) / size);
      sum += prices[v];
    }
    stale = sum > best_total + kScale / 32 ? 0 : stale + 1;
    if (sum > best_total) {
      best = prices;
      best_total = sum;
    }
    if (best_total > ascent.enough) break;
    if (stale >= 5) {
      step /= 2;
      stale = 0;
      prices = best;
    }

    std::vector<double> direction(n, 1.0);
    for (std::size_t v = 0; v < n; ++v) {
      if (cheapest.net[v] == kUnseen) direction[v] = 0;
      for_each_vertex(cheapest.members[v], [&](int u) { direction[u] -= 1.0 / size; });
    }
    double norm = 0;
    for (const double d : direction) norm += d * d;
    if (norm < 1e-9) break;  // the cheapest sets are a partition: the prices are the best there are
    const double length = step * static_cast<double>(ascent.enough - best_total + kScale) / norm;
    for (std::size_t v = 0; v < n; ++v) prices[v] += static_cast<Cost>(length * direction[v]);
  }
  return best;
}

}  // namespace corewise::proof
