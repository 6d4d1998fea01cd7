/// Pool and pricing: each vertex in turn looks for overdrawn sets without the vertices before it.
#include "solvers/proof/column_prices.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "solvers/proof/set_growth.hpp"

namespace corewise::proof {
namespace {

/// A step of growth takes about as long as looking at this many sets one after the other.
constexpr std::uint64_t kLooksPerStep = 160;
constexpr int kMostRounds = 120;
constexpr int kRaisesPerRound = 60;
constexpr std::size_t kNewSetsPerVertex = 20;
constexpr std::size_t kMostPooled = 12'000;

/// Net costs as a growth adds them up: cost(S) = sum of joining costs + half the factor times the cut.
class NetGraph {
 public:
  explicit NetGraph(const GroupFamily& family) : family_(family), graph_(family.instance.n, scaled(family)) {
    for (int v = 0; v < family.instance.n; ++v) {
      Cost degree = 0;
      for (int u = 0; u < family.instance.n; ++u) degree += u == v ? 0 : family.instance.between(u, v);
      at_no_price_.push_back(family.base[v] + family.factor / 2 * degree);
    }
  }

  GrowthGraph& at(const Prices& prices) {
    std::vector<Cost> joining = at_no_price_;
    for (std::size_t v = 0; v < joining.size(); ++v) joining[v] -= prices[v];
    graph_.set_joining(std::move(joining));
    return graph_;
  }

 private:
  static std::vector<Cost> scaled(const GroupFamily& family) {
    std::vector<Cost> weight = family.instance.weight;
    for (Cost& w : weight) w *= -family.factor / 2;
    return weight;
  }

  const GroupFamily& family_;
  GrowthGraph graph_;
  std::vector<Cost> at_no_price_;
};

Cost cost_of(const GroupFamily& family, Subset set) {
  return total(family.base, set) + family.factor * family.instance.inside(set);
}

class Columns {
 public:
  Columns(const GroupFamily& family, const std::vector<Subset>& groups, Cost enough,
          const ProofLimits& limits)
      : family_(family),
        groups_(groups),
        enough_(enough),
        limits_(limits),
        net_(family),
        count_{limits.most_steps / kLooksPerStep, limits.deadline} {
    for (const Subset group : groups) add(group);
  }

  Prices run(const Prices& start) {
    Prices prices = start;
    for (int round = 0; round < kMostRounds; ++round) {
      prices = raise_prices([&](const Prices& at) { return cheapest_sets(family_.instance.n, pool_, at); },
                            repaired(prices), {family_.size, enough_, kRaisesPerRound, limits_.deadline});
      const std::size_t pooled = pool_.size();
      find_overdrawn(prices);
      if (count_.exhausted) break;
      if (pool_.size() == pooled) return higher(start, std::move(prices));
      if (pool_.size() > kMostPooled) thin_out(prices);
    }
    return lowered(start, prices);
  }

 private:
  void add(Subset set) {
    if (known_.insert(set).second) pool_.push_back({set, cost_of(family_, set)});
  }

  /// Prices that hold for the pool.
  Prices repaired(Prices prices) const {
    const CheapestSets cheapest = cheapest_sets(family_.instance.n, pool_, prices);
    for (std::size_t v = 0; v < prices.size(); ++v) {
      const Cost rest = cheapest.net[v];
      if (rest < 0) prices[v] += -((family_.size - 1 - rest) / family_.size);
    }
    return prices;
  }

  void find_overdrawn(const Prices& prices) {
    const GrowthGraph& graph = net_.at(prices);
    Subset open = family_.instance.all();
    for (int v = 0; std::popcount(open) >= family_.size; ++v) {
      const Subset first = Subset{1} << v;
      open &= ~first;
      std::size_t found = 0;
      SetGrowth growth(graph, count_, [&](Subset set) {
        add(set);
        return ++found >= kNewSetsPerVertex;
      });
      (void)growth.run(first, open, family_.size, -1);
      if (count_.exhausted) return;
    }
  }

  /// Keeps the partition that was known and the sets nearest to their prices.
  void thin_out(const Prices& prices) {
    std::ranges::sort(pool_, {}, [&](const CostedSet& set) {
      return std::pair(set.cost - total(prices, set.members), set.members);
    });
    pool_.resize(kMostPooled / 2);
    known_.clear();
    for (const CostedSet& set : pool_) known_.insert(set.members);
    for (const Subset group : groups_) add(group);
  }

  /// Lowers prices evenly until no set is overdrawn any more, if that can be found out.
  Prices lowered(const Prices& start, Prices prices) {
    Cost least = 0;
    StepCount count{limits_.most_steps / kLooksPerStep / 4, limits_.deadline};
    const GrowthGraph& graph = net_.at(prices);
    for (bool lower = true; lower && !count.exhausted;) {
      lower = false;
      SetGrowth growth(graph, count, [&](Subset set) {
        least = cost_of(family_, set) - total(prices, set);
        return lower = true;
      });
      (void)growth.run(0, family_.instance.all(), family_.size, least - 1);
    }
    if (count.exhausted) return start;
    for (Cost& price : prices) price -= (family_.size - 1 - least) / family_.size;
    return higher(start, std::move(prices));
  }

  Prices higher(const Prices& start, Prices prices) const {
    const Subset all = family_.instance.all();
    return total(prices, all) > total(start, all) ? std::move(prices) : start;
  }

  const GroupFamily& family_;
  const std::vector<Subset>& groups_;
  Cost enough_;
  ProofLimits limits_;
  NetGraph net_;
  StepCount count_;
  std::vector<CostedSet> pool_;
  std::unordered_set<Subset> known_;  ///< members of the pool
};

}  // namespace

Prices column_prices(const GroupFamily& family, const Prices& start, const std::vector<Subset>& groups,
                     Cost enough, const ProofLimits& limits) {
  return Columns(family, groups, enough, limits).run(start);
}

bool grow_sets(const GroupFamily& family, const Prices& prices, Cost most_net, std::size_t most_sets,
               const ProofLimits& limits, std::vector<CostedSet>& sets) {
  NetGraph net(family);
  StepCount count{limits.most_steps / kLooksPerStep, limits.deadline};
  GrowthGraph& graph = net.at(prices);
  graph.tell_twins_apart();
  SetGrowth growth(graph, count, [&](Subset set) {
    sets.push_back({set, cost_of(family, set)});
    return sets.size() > most_sets;
  });
  return !growth.run(0, family.instance.all(), family.size, most_net);
}

}  // namespace corewise::proof
