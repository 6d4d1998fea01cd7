/// crossings(): partners by weight into the places beside a rank, level by level; patterns; eigenvalues.
#include "solvers/bounds/cut_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "solvers/bounds/spectral.hpp"
#include "solvers/patterns/forest_cut.hpp"
#include "solvers/patterns/isoperimetry.hpp"
#include "solvers/patterns/pattern.hpp"
#include "solvers/problem/slots.hpp"

namespace corewise::bounds {
namespace {

/// Forests of more vertices times places in a group are only counted pair by pair; about 50 ms.
constexpr std::int64_t kMostStepsInForests = 50'000'000;

/// Levels of groups of more sizes are taken as if all had the extreme ones.
constexpr std::size_t kMostSizes = 8;

/// Places of the groups of each level below the object, descending.
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

/// Groups of one level with as many places, where others have more or fewer.
struct GroupsOfSize {
  std::int64_t size = 0;
  std::int64_t members = 0;  ///< at least, however the free places are shared out
  std::uint64_t count = 0;
  std::vector<std::uint64_t> heaviest = {};  ///< [rank]: bytes to partners in such a group, at most
  std::vector<std::uint64_t> lightest = {};  ///< [rank]: at least
};

/// Of the first `count` values in an order; all where there are fewer.
template <typename Order>
std::uint64_t sum_of_first(std::vector<std::uint64_t>& values, std::int64_t count, Order order) {
  const auto end = values.begin() + std::min(count, std::ssize(values));
  if (end != values.end()) std::ranges::nth_element(values, end, order);
  return std::accumulate(values.begin(), end, std::uint64_t{0});
}

class CutBounder {
 public:
  /// @param number  [rank of the graph] -> in the domain, -1 outside.
  CutBounder(const Domain& domain, const PairGraph& graph, const std::vector<std::int64_t>& number)
      : domain_(domain),
        graph_(graph),
        number_(number),
        n_(std::ssize(domain.ranks)),
        n_places_(domain.places.back().front()),
        found_(domain.places.size()),
        own_(domain.places.size()) {
    for (std::size_t level = 0; level < own_.size(); ++level) own_[level].sizes = sizes_of_groups(level);
  }

  std::vector<CutBounds> run(std::span<const patterns::Pattern> patterns,
                             std::int64_t most_places_for_spectrum) {
    for (const Rank rank : domain_.ranks) add(rank);
    std::ranges::sort(degrees_, std::greater{});
    std::partial_sum(degrees_.begin(), degrees_.end(), degrees_.begin());
    for (std::size_t level = 0; level < found_.size(); ++level) bound_loads(level);
    for (const patterns::Pattern& pattern : patterns) use_pattern(pattern);
    use_forest();
    if (n_places_ > 1 && n_places_ <= most_places_for_spectrum && !degrees_.empty() && degrees_.back() > 0) {
      use_spectrum();
    }
    for (std::size_t level = 0; level < found_.size(); ++level) {
      found_[level].least_load = std::max(found_[level].least_load, mean_load(level));
    }
    return std::move(found_);
  }

 private:
  /// What the rank's own partners say of a level, summed over ranks.
  struct Shares {
    std::uint64_t outside_at_least = 0;
    std::uint64_t outside_at_most = 0;
    std::uint64_t greatest_outside = 0;  ///< of the least outside of one rank
    std::vector<GroupsOfSize> sizes;     ///< none where groups are all alike
  };

  std::vector<GroupsOfSize> sizes_of_groups(std::size_t level) const {
    std::vector<GroupsOfSize> sizes;
    for (const std::int64_t size : domain_.places[level]) {
      if (sizes.empty() || sizes.back().size != size)
        sizes.push_back({size, std::max<std::int64_t>(size - (n_places_ - n_), 0)});
      ++sizes.back().count;
      if (sizes.size() > kMostSizes) return {};
    }
    return sizes.size() > 1 ? sizes : std::vector<GroupsOfSize>();
  }

  void add(Rank rank) {
    bytes_.clear();
    for (const PairTraffic& pair : graph_.partners(rank)) {
      if (number_[raw(pair.peer)] != -1) bytes_.push_back(pair.bytes);
    }
    std::ranges::sort(bytes_, std::greater{});
    const std::uint64_t degree = std::accumulate(bytes_.begin(), bytes_.end(), std::uint64_t{0});
    degrees_.push_back(degree);
    for (std::size_t level = 0; level < own_.size(); ++level) {
      const std::vector<std::int64_t>& places = domain_.places[level];
      const std::uint64_t outside = degree - heaviest(places.front() - 1);
      own_[level].outside_at_least += outside;
      own_[level].greatest_outside = std::max(own_[level].greatest_outside, outside);
      // Free places can all be in the smallest group, and padding ranks join before lighter partners.
      const std::int64_t company = places.back() - (n_places_ - n_) - 1;
      own_[level].outside_at_most += degree - lightest(company);
      for (GroupsOfSize& groups : own_[level].sizes) {
        groups.heaviest.push_back(heaviest(groups.size - 1));
        groups.lightest.push_back(lightest(groups.members - 1));
      }
    }
  }

  std::uint64_t heaviest(std::int64_t count) const {
    const auto end = std::min<std::int64_t>(std::max<std::int64_t>(count, 0), std::ssize(bytes_));
    return std::accumulate(bytes_.begin(), bytes_.begin() + end, std::uint64_t{0});
  }

  /// Of `count` other ranks of the domain.
  std::uint64_t lightest(std::int64_t count) const {
    const std::int64_t strangers = n_ - 1 - std::ssize(bytes_);
    const auto partners = std::clamp<std::int64_t>(count - strangers, 0, std::ssize(bytes_));
    return std::accumulate(bytes_.end() - partners, bytes_.end(), std::uint64_t{0});
  }

  void bound_loads(std::size_t level) {
    const std::vector<std::int64_t>& places = domain_.places[level];
    CutBounds& cut = found_[level];
    cut.least = own_[level].outside_at_least - own_[level].outside_at_least / 2;
    cut.most = own_[level].outside_at_most / 2;
    cut.least_load = own_[level].greatest_outside;
    bound_by_sizes(level);
    for (const std::int64_t size : places) {
      std::uint64_t load = sum_of_heaviest(size);
      // In a full domain the others are a set of known size, too.
      if (n_ == n_places_) load = std::min(load, sum_of_heaviest(n_ - size));
      cut.most_load = std::max(cut.most_load, std::min(load, cut.most));
    }
  }

  /// Each group takes the ranks that have most (or least) inside such groups, whatever the others take.
  void bound_by_sizes(std::size_t level) {
    if (own_[level].sizes.empty()) return;
    std::uint64_t most_inside = 0, least_inside = 0;
    for (GroupsOfSize& groups : own_[level].sizes) {
      most_inside += groups.count * (sum_of_first(groups.heaviest, groups.size, std::greater{}) / 2);
      least_inside += groups.count * ((sum_of_first(groups.lightest, groups.members, std::less{}) + 1) / 2);
    }
    CutBounds& cut = found_[level];
    const std::uint64_t total = degrees_.back() / 2;
    cut.least = std::max(cut.least, total - std::min(total, most_inside));
    cut.most = std::min(cut.most, total - least_inside);
  }

  /// Every crossing pair loads two groups, and the group that has most has no less than the mean.
  std::uint64_t mean_load(std::size_t level) const {
    const auto used = static_cast<std::uint64_t>(std::min(std::ssize(domain_.places[level]), n_));
    return (2 * found_[level].least + used - 1) / used;
  }

  std::uint64_t sum_of_heaviest(std::int64_t count) const {
    return count > 0 ? degrees_[std::min(count, n_) - 1] : 0;
  }

  /// Calls use(a, b, bytes) for each pair inside the domain, a < b.
  template <typename Use>
  void for_each_pair(Use use) const {
    for (const Rank rank : domain_.ranks) {
      for (const PairTraffic& pair : graph_.partners(rank)) {
        if (pair.bytes > 0 && raw(rank) < raw(pair.peer) && number_[raw(pair.peer)] != -1) {
          use(raw(rank), raw(pair.peer), pair.bytes);
        }
      }
    }
  }

  void crosses_at_least(std::size_t level, Cost bytes) {
    if (bytes > 0) found_[level].least = std::max(found_[level].least, static_cast<std::uint64_t>(bytes));
  }

  void use_pattern(const patterns::Pattern& pattern) {
    Cost counted = 0;
    for_each_pair([&](std::int32_t a, std::int32_t b, std::uint64_t bytes) {
      counted += pattern.counted(a, b, bytes);
    });
    for (std::size_t level = 0; level < found_.size(); ++level) {
      const std::vector<std::int64_t>& places = domain_.places[level];
      if (places.front() >= std::min(n_, std::ssize(pattern.inside))) continue;
      crosses_at_least(level, counted - patterns::most_inside_groups(pattern.inside, places, n_));
    }
  }

  void use_forest() {
    std::vector<patterns::ForestPair> pairs;
    for_each_pair([&](std::int32_t a, std::int32_t b, std::uint64_t bytes) {
      if (std::ssize(pairs) < n_) {
        pairs.push_back({static_cast<std::int32_t>(number_[a]), static_cast<std::int32_t>(number_[b]),
                         static_cast<Cost>(bytes)});
      }
    });
    const std::optional<patterns::Forest> forest =
        patterns::Forest::from_pairs(static_cast<std::int32_t>(n_), pairs);
    for (std::size_t level = 0; forest && level < found_.size(); ++level) {
      const std::vector<std::int64_t>& places = domain_.places[level];
      std::int64_t n_groups = 0;
      for (std::int64_t left = n_; left > 0; left -= places[n_groups++]) continue;
      crosses_at_least(level, forest->least_between(n_groups));
      if (n_ * places.front() <= kMostStepsInForests)
        crosses_at_least(level, forest->least_cut(places.front()));
    }
  }

  void use_spectrum() {
    std::vector<double> weight(n_places_ * n_places_, 0.0);
    for (const Rank rank : domain_.ranks) {
      for (const PairTraffic& pair : graph_.partners(rank)) {
        const std::int64_t there = number_[raw(pair.peer)];
        if (there != -1) weight[number_[raw(rank)] * n_places_ + there] = static_cast<double>(pair.bytes);
      }
    }
    const Spectrum spectrum = laplacian_spectrum(static_cast<int>(n_places_), weight);
    for (std::size_t level = 0; level < found_.size(); ++level) {
      CutBounds& cut = found_[level];
      const std::vector<int> sizes(domain_.places[level].begin(), domain_.places[level].end());
      const double least = std::ceil(least_cut(spectrum, sizes) - 1e-6);
      const double most = std::floor(most_cut(spectrum, sizes) + 1e-6);
      if (least > 0) cut.least = std::max(cut.least, static_cast<std::uint64_t>(least));
      if (most < static_cast<double>(cut.most)) {
        cut.most = static_cast<std::uint64_t>(std::max(most, 0.0));
      }
      cut.most_load = std::min(cut.most_load, cut.most);
    }
  }

  const Domain& domain_;
  const PairGraph& graph_;
  const std::vector<std::int64_t>& number_;
  std::int64_t n_;
  std::int64_t n_places_;
  std::vector<CutBounds> found_;
  std::vector<Shares> own_;
  std::vector<std::uint64_t> degrees_;  ///< in the end: of the i + 1 heaviest ranks together
  std::vector<std::uint64_t> bytes_;    ///< of the rank at hand, descending
};

/// Most places of a domain, and of a group that can't hold a domain's ranks all, up to `most`.
std::pair<std::int64_t, std::int64_t> sizes(std::span<const Domain> domains, std::int64_t most) {
  std::int64_t n_places = 1;
  std::int64_t largest_group = 0;
  for (const Domain& domain : domains) {
    n_places = std::max(n_places, domain.places.back().front());
    for (const std::vector<std::int64_t>& places : domain.places) {
      const std::int64_t size = places.front();
      if (size <= most && size < std::ssize(domain.ranks)) largest_group = std::max(largest_group, size);
    }
  }
  return {n_places, largest_group};
}

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

std::vector<std::vector<CutBounds>> cut_bounds(std::span<const Domain> domains, const PairGraph& graph,
                                               const CutBoundLimits& limits) {
  const auto [n_places, largest_group] = sizes(domains, limits.group_of_pattern);
  const std::vector<patterns::Pattern> patterns =
      largest_group > 0 ? patterns::find_patterns(graph, n_places, largest_group)
                        : std::vector<patterns::Pattern>();
  std::vector<std::int64_t> number(graph.n_ranks(), -1);
  std::vector<std::vector<CutBounds>> found;
  for (const Domain& domain : domains) {
    for (std::size_t i = 0; i < domain.ranks.size(); ++i) {
      number[raw(domain.ranks[i])] = static_cast<std::int64_t>(i);
    }
    found.push_back(CutBounder(domain, graph, number).run(patterns, limits.places_for_spectrum));
    for (const Rank rank : domain.ranks) number[raw(rank)] = -1;
  }
  return found;
}

}  // namespace corewise::bounds
