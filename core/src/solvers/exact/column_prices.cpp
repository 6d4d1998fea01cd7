/// Pool and pricing: each vertex in turn looks for overdrawn sets without the vertices before it.
#include "solvers/exact/column_prices.hpp"

#include <algorithm>

#include "solvers/exact/set_growth.hpp"
#include "solvers/exact/set_pool.hpp"

namespace corewise::proof {
namespace {

/// A step of growth takes about as long as looking at this many sets one after the other.
constexpr std::uint64_t kLooksPerStep = 160;
constexpr int kMostRounds = 120;
constexpr int kRaisesPerRound = 60;
constexpr std::size_t kNewSetsPerVertex = 20;
constexpr std::size_t kMostPooled = 12'000;

/// Net costs as a growth adds them up: cost(S) = that of its kind + sum of joining costs - half the factor
/// times the cut.
class NetGraph {
 public:
  explicit NetGraph(const GroupFamily& family) : graph_(family.instance.n, scaled(family)) {
    for (int v = 0; v < family.instance.n; ++v) {
      Cost degree = 0;
      for (int u = 0; u < family.instance.n; ++u) degree += u == v ? 0 : family.instance.between(u, v);
      at_no_price_.push_back(family.below.of_vertex[v] + family.factor / 2 * degree);
    }
  }

  GrowthGraph& at(const Prices& prices) {
    std::vector<Cost> joining = at_no_price_;
    for (std::size_t v = 0; v < joining.size(); ++v) joining[v] -= prices.of_vertex[v];
    graph_.set_joining(std::move(joining));
    return graph_;
  }

 private:
  static std::vector<Cost> scaled(const GroupFamily& family) {
    std::vector<Cost> weight = family.instance.weight;
    for (Cost& w : weight) w *= -family.factor / 2;
    return weight;
  }

  GrowthGraph graph_;
  std::vector<Cost> at_no_price_;
};

class Columns {
 public:
  Columns(const GroupFamily& family, const std::vector<Group>& groups, Cost enough, const ProofLimits& limits)
      : family_(family),
        enough_(enough),
        limits_(limits),
        net_(family),
        count_{limits.most_steps / kLooksPerStep, limits.deadline},
        pool_(family, groups) {}

  Prices run(const Prices& start) {
    Prices prices = start;
    for (int round = 0; round < kMostRounds; ++round) {
      prices = raise_prices([&](const Prices& at) { return pool_.cheapest(at); }, repaired(prices),
                            {counts(family_.instance), enough_, kRaisesPerRound, limits_.deadline});
      const std::size_t pooled = pool_.size();
      find_overdrawn(prices);
      if (count_.exhausted) break;
      if (pool_.size() == pooled) return higher(start, std::move(prices));
      if (pool_.size() > kMostPooled) pool_.thin_out(prices, kMostPooled / 2);
    }
    return lowered(start, prices);
  }

 private:
  /// Prices that hold for the pool.
  Prices repaired(Prices prices) const {
    const CheapestSets cheapest = pool_.cheapest(prices);
    for (std::size_t v = 0; v < prices.of_vertex.size(); ++v) {
      prices.of_vertex[v] += std::min<Cost>(0, cheapest.share[v]);
    }
    return prices;
  }

  void find_overdrawn(const Prices& prices) {
    const GrowthGraph& graph = net_.at(prices);
    for (const int kind : family_.kinds()) {
      const Cost most_net = prices.of_kind[kind] - family_.base(kind) - 1;
      Subset open = family_.instance.all();
      for (int v = 0; std::popcount(open) >= family_.size(kind); ++v) {
        const Subset first = Subset{1} << v;
        open &= ~first;
        std::size_t found = 0;
        SetGrowth growth(graph, count_, [&](Subset set) {
          pool_.add({kind, set});
          return ++found >= kNewSetsPerVertex;
        });
        (void)growth.run(first, open, family_.size(kind), most_net);
        if (count_.exhausted) return;
      }
    }
  }

  /// Lowers the kinds' prices until no set is overdrawn any more, if that can be found out.
  Prices lowered(const Prices& start, Prices prices) {
    StepCount count{limits_.most_steps / kLooksPerStep / 4, limits_.deadline};
    const GrowthGraph& graph = net_.at(prices);
    for (const int kind : family_.kinds()) {
      Cost& price = prices.of_kind[kind];
      for (bool lower = true; lower && !count.exhausted;) {
        lower = false;
        SetGrowth growth(graph, count, [&](Subset set) {
          price = family_.cost(set, kind) - prices.of(set);
          return lower = true;
        });
        (void)growth.run(0, family_.instance.all(), family_.size(kind), price - family_.base(kind) - 1);
      }
    }
    return count.exhausted ? start : higher(start, std::move(prices));
  }

  Prices higher(const Prices& start, Prices prices) const {
    return prices.of_all(family_.instance) > start.of_all(family_.instance) ? std::move(prices) : start;
  }

  const GroupFamily& family_;
  Cost enough_;
  ProofLimits limits_;
  NetGraph net_;
  StepCount count_;
  SetPool pool_;
};

}  // namespace

Prices column_prices(const GroupFamily& family, const Prices& start, const std::vector<Group>& groups,
                     Cost enough, const ProofLimits& limits) {
  return Columns(family, groups, enough, limits).run(start);
}

bool grow_sets(const GroupFamily& family, const Prices& prices, const SetList& wanted,
               const ProofLimits& limits, std::vector<CostedSet>& sets) {
  NetGraph net(family);
  StepCount count{limits.most_steps / kLooksPerStep, limits.deadline};
  GrowthGraph& graph = net.at(prices);
  if (!wanted.one_of_each_sort) graph.tell_twins_apart();
  for (const int kind : family.kinds()) {
    SetGrowth growth(graph, count, [&](Subset set) {
      sets.push_back({set, family.cost(set, kind), kind});
      return sets.size() > wanted.most_sets;
    });
    const Cost most = wanted.most_net + prices.of_kind[kind] - family.base(kind);
    if (growth.run(wanted.within, family.instance.all() & ~wanted.within, family.size(kind), most))
      return false;
  }
  return true;
}

}  // namespace corewise::proof
