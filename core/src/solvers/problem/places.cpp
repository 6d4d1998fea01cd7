/// Places and block order: fixed ranks first, then ranks fixed to a node, then all others in rank order.
#include "solvers/problem/places.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "corewise/error.hpp"
#include "solvers/problem/place_allocator.hpp"
#include "solvers/problem/slots.hpp"
#include "text.hpp"

namespace corewise {
namespace {

/// "core 3 of node 0": logical index on the node.
std::string core_text(const Machine& machine, CoreIndex core) {
  return concat("core ", machine.core_on_node(core), " of node ", raw(machine.node_of(core)));
}

void check_length(std::size_t found, std::int32_t expected, const char* column, const char* unit) {
  if (found == 0 || found == static_cast<std::size_t>(expected)) return;
  throw Error(ErrorCode::size_mismatch,
              concat(column, " has ", found, " values; expected one for each of ", expected, " ", unit));
}

void check_nodes(const Machine& machine, const std::vector<NodeIndex>& node_of_rank) {
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    const NodeIndex node = node_of_rank[rank];
    if (node == kAnyNode || (raw(node) >= 0 && raw(node) < machine.n_nodes())) continue;
    throw Error(ErrorCode::bad_input,
                concat("rank ", rank, " is fixed to node ", raw(node), " of a machine with ",
                       machine.n_nodes(), "; expected 0-", machine.n_nodes() - 1));
  }
}

void check_cores(const Machine& machine, const Constraints& constraints) {
  for (std::size_t rank = 0; rank < constraints.core_of_rank.size(); ++rank) {
    const CoreIndex core = constraints.core_of_rank[rank];
    if (core == kAnyCore) continue;
    if (raw(core) < 0 || raw(core) >= machine.n_cores()) {
      throw Error(ErrorCode::bad_input,
                  concat("rank ", rank, " is fixed to core ", raw(core), " of a machine with ",
                         machine.n_cores(), " cores; expected 0-", machine.n_cores() - 1));
    }
    if (constraints.node_of_rank.empty()) continue;
    const NodeIndex node = constraints.node_of_rank[rank];
    if (node != kAnyNode && node != machine.node_of(core)) {
      throw Error(ErrorCode::bad_input, concat("rank ", rank, " is fixed to ", core_text(machine, core),
                                               " and to node ", raw(node), "; expected one of them"));
    }
  }
}

/// Checks each column against the traffic and the machine, but not if there is room for all ranks.
void check_columns(const MappingProblem& problem) {
  const Constraints& constraints = problem.constraints;
  const std::int32_t n_ranks = problem.traffic.n_ranks();
  check_length(constraints.core_capacity.size(), problem.machine.n_cores(), "core_capacity", "cores");
  check_length(constraints.cores_per_rank.size(), n_ranks, "cores_per_rank", "ranks");
  check_length(constraints.core_of_rank.size(), n_ranks, "core_of_rank", "ranks");
  check_length(constraints.node_of_rank.size(), n_ranks, "node_of_rank", "ranks");
  if (std::ranges::any_of(constraints.core_capacity, [](std::int32_t capacity) { return capacity < 0; })) {
    throw Error(ErrorCode::bad_input, "core_capacity has a negative value; expected 0 (left free) or more");
  }
  if (std::ranges::any_of(constraints.cores_per_rank, [](std::int32_t width) { return width < 1; })) {
    throw Error(ErrorCode::bad_input,
                "cores_per_rank has a value below 1; expected at least one core for each rank");
  }
  check_nodes(problem.machine, constraints.node_of_rank);
  check_cores(problem.machine, constraints);
}

class PlaceMaker {
 public:
  explicit PlaceMaker(const MappingProblem& problem)
      : problem_(problem), machine_(problem.machine), constraints_(problem.constraints) {
    core_capacity_ = constraints_.core_capacity;
    if (core_capacity_.empty()) core_capacity_.assign(machine_.n_cores(), 1);
    sort_ranks();
  }

  Places run() {
    if (widths_differ(constraints_)) {
      pack_nodes();
      return std::move(places_);
    }
    const std::int32_t width = constraints_.cores_per_rank.empty() ? 1 : constraints_.cores_per_rank.front();
    if (width == 1) {
      places_.capacity = std::move(core_capacity_);
    } else {
      cut_all_nodes(width);
    }
    places_.block.assign(problem_.traffic.n_ranks(), kAnyCore);
    load_.assign(machine_.n_cores(), 0);
    keep_fixed_cores();
    for (std::int32_t node = 0; node < machine_.n_nodes() && !on_node_.empty(); ++node) {
      if (!on_node_[node].empty()) deal_to(on_node_[node], node, node + 1);
    }
    deal_to(anywhere_, 0, machine_.n_nodes());
    return std::move(places_);
  }

 private:
  [[nodiscard]] std::int32_t width_of(std::int32_t rank) const {
    return constraints_.cores_per_rank.empty() ? 1 : constraints_.cores_per_rank[rank];
  }

  void sort_ranks() {
    for (std::int32_t rank = 0; rank < problem_.traffic.n_ranks(); ++rank) {
      if (!constraints_.core_of_rank.empty() && constraints_.core_of_rank[rank] != kAnyCore) {
        on_core_.push_back(rank);
      } else if (!constraints_.node_of_rank.empty() && constraints_.node_of_rank[rank] != kAnyNode) {
        on_node_.resize(machine_.n_nodes());
        on_node_[raw(constraints_.node_of_rank[rank])].push_back(rank);
      } else {
        anywhere_.push_back(rank);
      }
    }
    places_.constrained = anywhere_.size() < static_cast<std::size_t>(problem_.traffic.n_ranks());
  }

  /// Reserves the cores of a rank whose first core is fixed.
  void take_fixed(PlaceAllocator& cutter, std::int32_t rank) const {
    const CoreIndex first = constraints_.core_of_rank[rank];
    const CoreIndex missing = cutter.missing_for(first, width_of(rank));
    if (missing != kAnyCore) {
      throw Error(
          ErrorCode::bad_input,
          concat("rank ", rank, " is fixed to ", width_of(rank), " cores from ", core_text(machine_, first),
                 " on, and the one at ", raw(missing) - raw(machine_.first_core(machine_.node_of(first))),
                 " is left free, taken or not there; fix it elsewhere"));
    }
    cutter.take(first, width_of(rank));
  }

  void cut_all_nodes(std::int32_t width) {
    PlaceAllocator cutter(machine_, core_capacity_);
    std::set<CoreIndex> taken;  // ranks that are fixed to the same core share its place
    for (const std::int32_t rank : on_core_) {
      if (taken.insert(constraints_.core_of_rank[rank]).second) take_fixed(cutter, rank);
    }
    std::int32_t widest = 0;
    for (std::int32_t node = 0; node < machine_.n_nodes(); ++node) {
      widest = std::max(widest, cutter.n_free(NodeIndex{node}));
    }
    for (int level = 0; level <= machine_.node_level() && !has_room(cutter); ++level) {
      for (std::int32_t node = 0; node < machine_.n_nodes(); ++node) {
        cutter.cut(NodeIndex{node}, level, width, machine_.n_cores());
      }
    }
    const bool constrained = places_.constrained;
    places_ = cutter.places();
    places_.constrained = constrained;
    if (widest < width && problem_.traffic.n_ranks() > std::ssize(on_core_)) {
      throw Error(ErrorCode::bad_input,
                  concat("a rank has ", width, " cores, and no node of machine '", machine_.name(),
                         "' has more than ", widest, " to give; expected at most as many cores per rank"));
    }
  }

  /// Whether the places made so far are enough for all ranks, including those that are fixed to nodes.
  [[nodiscard]] bool has_room(const PlaceAllocator& cutter) const {
    std::int64_t room = 0;
    std::vector<std::int64_t> fixed(machine_.n_nodes(), 0);
    for (const std::int32_t rank : on_core_) ++fixed[raw(machine_.node_of(constraints_.core_of_rank[rank]))];
    for (std::int32_t node = 0; node < machine_.n_nodes(); ++node) {
      if (!on_node_.empty()) fixed[node] += std::ssize(on_node_[node]);
      if (cutter.room(NodeIndex{node}) < fixed[node]) return false;
      room += cutter.room(NodeIndex{node});
    }
    return room >= problem_.traffic.n_ranks();
  }

  void keep_fixed_cores() {
    if (on_core_.empty()) return;
    places_.kept.assign(machine_.n_cores(), 0);
    for (const std::int32_t rank : on_core_) {
      const CoreIndex core = constraints_.core_of_rank[rank];
      std::int32_t& capacity = places_.capacity[raw(core)];
      if (capacity == 0) {
        throw Error(ErrorCode::bad_input,
                    concat("rank ", rank, " is fixed to ", core_text(machine_, core),
                           ", which is left free; fix it elsewhere, or free another core"));
      }
      places_.kept[raw(core)] = ++load_[raw(core)];
      if (constraints_.oversubscribe) capacity = std::max(capacity, load_[raw(core)]);
      if (load_[raw(core)] > capacity) {
        throw Error(ErrorCode::bad_input,
                    concat("rank ", rank, " is one too many on ", core_text(machine_, core), ", which takes ",
                           capacity, "; fix it elsewhere, or let ranks share cores (--oversubscribe)"));
      }
      places_.block[rank] = core;
    }
  }

  /// Places ranks in rank order on nodes first to end - 1. No core is shared while another is empty.
  void deal_to(const std::vector<std::int32_t>& ranks, std::int32_t first, std::int32_t end) {
    const std::vector<CoreIndex> cores = cores_of(machine_, first, end);
    std::int64_t room = 0;
    for (const CoreIndex core : cores) room += places_.capacity[raw(core)] - load_[raw(core)];
    const std::int64_t lacking = std::ssize(ranks) - room;
    if (lacking > 0) make_room(lacking, first, end, static_cast<std::int64_t>(ranks.size()));
    deal(ranks, cores, places_.capacity, load_, places_.block);
  }

  /// Raises capacities by one until `lacking` more ranks have room: lowest capacities first, node by node in
  /// turn.
  void make_room(std::int64_t lacking, std::int32_t first, std::int32_t end, std::int64_t n_ranks) {
    std::int32_t widest = 0, n_places = 0;
    for (std::int32_t node = first; node < end; ++node) {
      widest = std::max(widest, machine_.n_cores_on(NodeIndex{node}));
      for (std::int32_t i = 0; i < machine_.n_cores_on(NodeIndex{node}); ++i) {
        n_places += places_.capacity[raw(machine_.core_at(NodeIndex{node}, i))] > 0;
      }
    }
    if (!constraints_.oversubscribe || n_places == 0) throw no_room(n_ranks, n_ranks - lacking, first, end);
    for (std::int32_t level = 1; lacking > 0; ++level) {
      for (std::int32_t on_node = 0; on_node < widest; ++on_node) {
        for (std::int32_t node = first; node < end && lacking > 0; ++node) {
          if (on_node >= machine_.n_cores_on(NodeIndex{node})) continue;
          std::int32_t& capacity = places_.capacity[raw(machine_.core_at(NodeIndex{node}, on_node))];
          if (capacity == 0 || capacity > level) continue;
          ++capacity;
          --lacking;
        }
      }
    }
  }

  [[nodiscard]] Error no_room(std::int64_t n_ranks, std::int64_t room, std::int32_t first,
                              std::int32_t end) const {
    const std::int32_t width = width_of(0);
    const std::string of_width = width == 1 ? "" : concat(" of ", width, " cores each");
    const char* advice = "let ranks share cores (--oversubscribe)";
    if (end - first < machine_.n_nodes()) {
      return {ErrorCode::bad_input, concat("node ", first, " is given ", n_ranks, " ranks", of_width,
                                           " and has room for ", room, "; fix fewer, or ", advice)};
    }
    return {ErrorCode::bad_input, concat(n_ranks, " ranks", of_width, " and room for ", room, " on the ",
                                         machine_.n_cores(), " cores of machine '", machine_.name(), "'",
                                         constrained_text(), "; take a larger machine, or ", advice)};
  }

  [[nodiscard]] const char* constrained_text() const {
    return places_.constrained ? " next to the fixed ranks" : "";
  }

  /// For ranks of different widths: chooses a node for each rank, then divides the cores of each node, widest
  /// ranks first.
  void pack_nodes() {
    PlaceAllocator cutter(machine_, core_capacity_);
    std::vector<CoreIndex> block(problem_.traffic.n_ranks(), kAnyCore);
    for (const std::int32_t rank : on_core_) {
      take_fixed(cutter, rank);
      block[rank] = constraints_.core_of_rank[rank];
    }
    const std::vector<std::vector<std::int32_t>> ranks_on = choose_nodes(cutter);
    std::set<std::int32_t, std::greater<>> widths(constraints_.cores_per_rank.begin(),
                                                  constraints_.cores_per_rank.end());
    for (std::int32_t node = 0; node < machine_.n_nodes(); ++node) {
      for (const std::int32_t width : widths) {
        std::vector<std::int32_t> ranks = ranks_on[node];
        std::erase_if(ranks, [&](std::int32_t rank) { return width_of(rank) != width; });
        const auto firsts = cut_node(cutter, NodeIndex{node}, width, static_cast<std::int32_t>(ranks.size()));
        for (std::size_t i = 0; i < ranks.size(); ++i) block[ranks[i]] = firsts[i];
      }
      for (const std::int32_t width : widths) cut_node(cutter, NodeIndex{node}, width, machine_.n_cores());
    }
    places_ = cutter.places();
    places_.constrained = true;
    for (std::int32_t& capacity : places_.capacity) capacity = std::min(capacity, 1);
    places_.block = std::move(block);
    places_.kept.assign(machine_.n_cores(), 0);
    for (const std::int32_t rank : on_core_) places_.kept[raw(places_.block[rank])] = 1;
  }

  /// Makes up to `most` places, each in the lowest object with enough free cores.
  /// @return their first cores, ascending.
  std::vector<CoreIndex> cut_node(PlaceAllocator& cutter, NodeIndex node, std::int32_t width,
                                  std::int32_t most) const {
    std::vector<CoreIndex> firsts;
    for (int level = 0; level <= machine_.node_level(); ++level) {
      const auto more = cutter.cut(node, level, width, most - static_cast<std::int32_t>(firsts.size()));
      firsts.insert(firsts.end(), more.begin(), more.end());
    }
    std::ranges::sort(firsts);
    return firsts;
  }

  /// [node] its ranks: first fit in rank order or, if that fails, first fit by decreasing width (Johnson
  /// 1973: at most 11/9 of the fewest nodes).
  [[nodiscard]] std::vector<std::vector<std::int32_t>> choose_nodes(const PlaceAllocator& cutter) const {
    std::vector<std::int32_t> free;
    for (std::int32_t node = 0; node < machine_.n_nodes(); ++node)
      free.push_back(cutter.n_free(NodeIndex{node}));
    std::vector<std::int32_t> order;
    for (const auto& ranks : on_node_) order.insert(order.end(), ranks.begin(), ranks.end());
    const auto n_given = std::ssize(order);
    order.insert(order.end(), anywhere_.begin(), anywhere_.end());
    std::vector<std::vector<std::int32_t>> ranks_on(machine_.n_nodes());
    if (first_fit(order, free, ranks_on) == -1) return ranks_on;
    std::ranges::stable_sort(order.begin() + n_given, order.end(), std::greater{},
                             [&](std::int32_t rank) { return width_of(rank); });
    const std::int32_t homeless = first_fit(order, free, ranks_on);
    if (homeless == -1) return ranks_on;
    throw Error(
        ErrorCode::bad_input,
        concat("rank ", homeless, " has ", width_of(homeless), " cores, and next to the other ranks no node ",
               "that it may have has as many left; take a larger machine, or fewer cores per rank (ranks of "
               "different widths never share cores)"));
  }

  /// @return the first rank that no node has room for, or -1.
  [[nodiscard]] std::int32_t first_fit(const std::vector<std::int32_t>& order, std::vector<std::int32_t> free,
                                       std::vector<std::vector<std::int32_t>>& ranks_on) const {
    for (auto& ranks : ranks_on) ranks.clear();
    for (const std::int32_t rank : order) {
      const bool given = !constraints_.node_of_rank.empty() && constraints_.node_of_rank[rank] != kAnyNode;
      std::int32_t node = given ? raw(constraints_.node_of_rank[rank]) : 0;
      while (!given && node < machine_.n_nodes() && free[node] < width_of(rank)) ++node;
      if (node == machine_.n_nodes() || free[node] < width_of(rank)) return rank;
      free[node] -= width_of(rank);
      ranks_on[node].push_back(rank);
    }
    for (auto& ranks : ranks_on) std::ranges::sort(ranks);
    return -1;
  }

  const MappingProblem& problem_;
  const Machine& machine_;
  const Constraints& constraints_;
  std::vector<std::int32_t> core_capacity_;
  std::vector<std::int32_t> on_core_;               ///< ranks that are fixed to a core
  std::vector<std::vector<std::int32_t>> on_node_;  ///< [node] ranks fixed to the node but to no core, if any
  std::vector<std::int32_t> anywhere_;
  std::vector<std::int32_t> load_;  ///< [core] ranks that start there so far
  Places places_;
};

}  // namespace

bool widths_differ(const Constraints& constraints) {
  const auto& widths = constraints.cores_per_rank;
  return std::ranges::adjacent_find(widths, std::not_equal_to{}) != widths.end();
}

Places make_places(const MappingProblem& problem) {
  check_columns(problem);
  return PlaceMaker(problem).run();
}

}  // namespace corewise
