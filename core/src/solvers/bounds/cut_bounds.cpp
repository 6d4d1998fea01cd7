/// cut_bounds(): from the partners of each rank that fit into its group.
#include "solvers/bounds/cut_bounds.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "solvers/problem/slots.hpp"

namespace corewise::bounds {
namespace {

/// [level] places of each group below an object, descending.
std::vector<std::vector<std::int64_t>> places_below(const PlacedProblem& problem, CoreIndex first,
                                                    std::int32_t n_cores, int top) {
  std::vector<std::vector<std::int64_t>> places;
  for (int level = 0; level <= top; ++level) {
    std::vector<std::int64_t> of_group;
    std::int32_t last = -1;
    for (std::int32_t core = raw(first); core < raw(first) + n_cores; ++core) {
      const std::int32_t group = problem.machine.group(level, CoreIndex{core});
      if (group != last) of_group.push_back(0);
      last = group;
      of_group.back() += problem.places.capacity[core];
    }
    std::erase(of_group, 0);
    std::ranges::sort(of_group, std::greater{});
    places.push_back(std::move(of_group));
  }
  return places;
}

/// The sum of the first `count` values in an order, or of all if there are fewer.
template <typename Order>
std::uint64_t sum_of_first(std::vector<std::uint64_t>& values, std::int64_t count, Order order) {
  const auto end = values.begin() + std::min(count, std::ssize(values));
  if (end != values.end()) std::ranges::nth_element(values, end, order);
  return std::accumulate(values.begin(), end, std::uint64_t{0});
}

class DomainBounds {
 public:
  /// @param number  [rank of the graph] its number in the domain, -1 outside.
  DomainBounds(const Domain& domain, const PairGraph& graph, const std::vector<std::int64_t>& number)
      : domain_(domain),
        graph_(graph),
        number_(number),
        n_(std::ssize(domain.ranks)),
        n_places_(domain.places.back().front()),
        bounds_(domain.places.size()) {}

  std::vector<CutBounds> run() {
    for (const Rank rank : domain_.ranks) add(rank);
    std::ranges::sort(degrees_, std::greater{});
    std::partial_sum(degrees_.begin(), degrees_.end(), degrees_.begin());
    for (std::size_t level = 0; level < bounds_.size(); ++level) use_partners(level);
    for (std::size_t level = 0; level < bounds_.size(); ++level) {
      bounds_[level].least_load = std::max(bounds_[level].least_load, mean_load(level));
    }
    return std::move(bounds_);
  }

 private:
  void add(Rank rank) {
    std::vector<std::uint64_t> bytes;
    for (const PairTraffic& pair : graph_.partners(rank)) {
      if (number_[raw(pair.peer)] != -1) bytes.push_back(pair.bytes);
    }
    std::ranges::sort(bytes, std::greater{});
    sums_.push_back(0);
    for (const std::uint64_t of_pair : bytes) sums_.push_back(sums_.back() + of_pair);
    first_sum_.push_back(std::ssize(sums_));
    degrees_.push_back(sums_.back());
  }

  /// Bytes between a rank and its `count` heaviest partners.
  std::uint64_t heaviest(std::int64_t i, std::int64_t count) const {
    return sums_[first_sum_[i] + std::clamp<std::int64_t>(count, 0, n_partners(i))];
  }

  /// Bytes between a rank and its `count` lightest partners, which may be ranks without messages.
  std::uint64_t lightest(std::int64_t i, std::int64_t count) const {
    const std::int64_t with_messages = std::max<std::int64_t>(count - (n_ - 1 - n_partners(i)), 0);
    return degree(i) - heaviest(i, n_partners(i) - with_messages);
  }

  std::int64_t n_partners(std::int64_t i) const { return first_sum_[i + 1] - first_sum_[i] - 1; }
  std::uint64_t degree(std::int64_t i) const { return heaviest(i, n_partners(i)); }

  /// Bounds each rank by the bytes to the partners that can (or must) be outside its group. Each pair's bytes
  /// count at both ends.
  void use_partners(std::size_t level) {
    const std::vector<std::int64_t>& places = domain_.places[level];
    const std::int64_t n_free = n_places_ - n_;
    CutBounds& bounds = bounds_[level];
    std::uint64_t least = 0, most = 0;
    for (std::int64_t i = 0; i < n_; ++i) {
      const std::uint64_t outside = degree(i) - heaviest(i, places.front() - 1);
      least += outside;
      bounds.least_load = std::max(bounds.least_load, outside);
      // All free places may be in the smallest group.
      most += degree(i) - lightest(i, places.back() - n_free - 1);
    }
    bounds.least = least - least / 2;
    bounds.most = most / 2;
    use_sizes(level);
    for (const std::int64_t size : places) {
      std::uint64_t load = sum_of_heaviest(size);
      // In a full domain, exactly n - size ranks are outside the group.
      if (n_free == 0) load = std::min(load, sum_of_heaviest(n_ - size));
      bounds.most_load = std::max(bounds.most_load, std::min(load, bounds.most));
    }
  }

  /// Bounds for groups of several sizes: each group takes the ranks that have most (or least) bytes inside a
  /// group of its size, even if another group takes the same ranks.
  void use_sizes(std::size_t level) {
    const std::vector<std::int64_t>& places = domain_.places[level];
    if (places.front() == places.back()) return;
    std::uint64_t most_inside = 0, least_inside = 0;
    std::vector<std::uint64_t> most(n_), least(n_);  // [rank] bytes inside such a group
    for (auto first = places.begin(); first != places.end();) {
      const std::int64_t size = *first;
      const std::int64_t members = std::max<std::int64_t>(size - (n_places_ - n_), 0);  // at least
      const auto last = std::find_if(first, places.end(), [&](std::int64_t other) { return other != size; });
      const auto count = static_cast<std::uint64_t>(last - first);
      for (std::int64_t i = 0; i < n_; ++i) {
        most[i] = heaviest(i, size - 1);
        least[i] = lightest(i, members - 1);
      }
      most_inside += count * (sum_of_first(most, size, std::greater{}) / 2);
      least_inside += count * ((sum_of_first(least, members, std::less{}) + 1) / 2);
      first = last;
    }
    CutBounds& bounds = bounds_[level];
    const std::uint64_t total = degrees_.back() / 2;
    bounds.least = std::max(bounds.least, total - std::min(total, most_inside));
    bounds.most = std::min(bounds.most, total - least_inside);
  }

  /// A lower bound on the greatest load: the mean. Every cut pair loads two groups.
  std::uint64_t mean_load(std::size_t level) const {
    const auto used = static_cast<std::uint64_t>(std::min(std::ssize(domain_.places[level]), n_));
    return (2 * bounds_[level].least + used - 1) / used;
  }

  std::uint64_t sum_of_heaviest(std::int64_t count) const {
    return count > 0 ? degrees_[std::min(count, n_) - 1] : 0;
  }

  const Domain& domain_;
  const PairGraph& graph_;
  const std::vector<std::int64_t>& number_;
  std::int64_t n_;
  std::int64_t n_places_;
  std::vector<CutBounds> bounds_;       ///< [level]
  std::vector<std::uint64_t> degrees_;  ///< [rank] bytes; after the sort: [i] of the i + 1 heaviest together
  std::vector<std::uint64_t> sums_;     ///< of each rank's 0, 1, 2, ... heaviest pairs
  std::vector<std::int64_t> first_sum_{0};  ///< [rank] its first index in sums_; one more entry: the end
};

}  // namespace

std::vector<Domain> domains(const PlacedProblem& problem, bool by_node) {
  const Machine& machine = problem.machine;
  std::vector<Domain> result;
  if (!by_node) {
    Domain& all = result.emplace_back();
    for (std::int32_t rank = 0; rank < problem.traffic.n_ranks(); ++rank) all.ranks.push_back(Rank{rank});
    all.places = places_below(problem, CoreIndex{0}, machine.n_cores(), machine.n_levels());
    if (all.ranks.empty()) result.clear();
    return result;
  }
  result.resize(machine.n_nodes());
  const std::vector<NodeIndex> node = given_nodes(problem);
  for (std::size_t rank = 0; rank < node.size(); ++rank) {
    result[raw(node[rank])].ranks.push_back(Rank{static_cast<std::int32_t>(rank)});
  }
  for (std::int32_t i = 0; i < machine.n_nodes(); ++i) {
    const NodeIndex at{i};
    result[i].places =
        places_below(problem, machine.first_core(at), machine.n_cores_on(at), machine.node_level());
  }
  std::erase_if(result, [](const Domain& domain) { return domain.ranks.empty(); });
  return result;
}

std::vector<std::vector<CutBounds>> cut_bounds(std::span<const Domain> domains, const PairGraph& graph) {
  std::vector<std::int64_t> number(graph.n_ranks(), -1);
  std::vector<std::vector<CutBounds>> found;
  for (const Domain& domain : domains) {
    for (std::size_t i = 0; i < domain.ranks.size(); ++i) {
      number[raw(domain.ranks[i])] = static_cast<std::int64_t>(i);
    }
    found.push_back(DomainBounds(domain, graph, number).run());
    for (const Rank rank : domain.ranks) number[raw(rank)] = -1;
  }
  return found;
}

}  // namespace corewise::bounds
