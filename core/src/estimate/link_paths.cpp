/// LinkPaths: numbers the links of a machine, its buses and limits, and finds paths.
#include "estimate/link_paths.hpp"

#include <algorithm>
#include <limits>

namespace corewise {
namespace {

/// Bandwidth of the bus that all links under one object share; 0 if they share none.
double bus_capacity(const LinkFigures& figures) {
  if (!figures.shares_bus().value_or(false)) return 0;
  double greatest = 0;
  for (const SharedLoad& load : figures.loads) {
    if (load.links > 1) greatest = std::max(greatest, load.bandwidth_bytes_per_s);
  }
  return greatest;
}

/// Common limit of both directions of a link, bytes/s; 0 if it was not measured, or limits nothing.
double both_ways_capacity(const LinkFigures& figures) {
  double greatest = 0;
  for (const SharedLoad& load : figures.loads) {
    if (load.links == 1 && load.both_ways) greatest = std::max(greatest, load.bandwidth_bytes_per_s);
  }
  if (greatest >= 2 * figures.bandwidth_bytes_per_s) return 0;
  return greatest > 0 ? std::max(greatest, figures.bandwidth_bytes_per_s) : 0;
}

}  // namespace

LinkPaths::LinkPaths(const Machine& machine, std::span<const LinkFigures> figures) : machine_(machine) {
  bool beyond_adapters = false;
  for (int level = 1; level <= machine.n_levels(); ++level) {
    const LinkFigures& own = figures[static_cast<std::size_t>(level - 1)];
    const std::int32_t n = machine.n_groups(level - 1);
    OfLevel links;
    links.up = add(n, own.bandwidth_bytes_per_s);
    links.down = add(n, own.bandwidth_bytes_per_s);
    const double both_ways = both_ways_capacity(own);
    if (both_ways > 0) links.both_ways = add(n, both_ways);
    const double bus = bus_capacity(own);
    if (bus > 0) links.bus = add(machine.n_groups(level), bus);
    if (!levels_.empty()) links.lowest = levels_.back().lowest;
    if (own.rdma && !beyond_adapters) links.lowest = level;
    beyond_adapters |= own.rdma;
    levels_.push_back(links);
  }
  torus_ = static_cast<std::int32_t>(capacity_.size());
  if (machine.torus()) add(machine.torus()->n_links(), machine.torus()->bandwidth_bytes_per_s);
}

std::int32_t LinkPaths::add(std::int32_t n, double capacity) {
  const auto first = static_cast<std::int32_t>(capacity_.size());
  capacity_.resize(capacity_.size() + static_cast<std::size_t>(n), capacity);
  return first;
}

LinkName LinkPaths::name(std::int32_t link) const {
  if (link >= torus_) {
    const TorusLink of_torus = machine_.torus()->link(link - torus_);
    return {machine_.n_levels(), of_torus.point, of_torus.backwards, false, of_torus.axis};
  }
  int level = machine_.n_levels();
  while (levels_[static_cast<std::size_t>(level - 1)].up > link) --level;
  const OfLevel& own = levels_[static_cast<std::size_t>(level - 1)];
  if (own.bus >= 0 && link >= own.bus) return {level, link - own.bus, false, true};
  if (own.both_ways >= 0 && link >= own.both_ways)
    return {level, link - own.both_ways, false, false, -1, true};
  if (link >= own.down) return {level, link - own.down, true, false};
  return {level, link - own.up, false, false};
}

void LinkPaths::path(CoreIndex a, CoreIndex b, std::vector<std::int32_t>& links) const {
  links.clear();
  const int meeting = machine_.meeting_level(a, b);
  const int lowest = meeting > 0 ? levels_[static_cast<std::size_t>(meeting - 1)].lowest : 1;
  for (int level = lowest; level <= meeting; ++level) {
    const OfLevel& own = levels_[static_cast<std::size_t>(level - 1)];
    const std::int32_t from = machine_.group(level - 1, a);
    const std::int32_t to = machine_.group(level - 1, b);
    links.push_back(own.up + from);
    if (own.both_ways >= 0) links.insert(links.end(), {own.both_ways + from, own.both_ways + to});
    links.push_back(own.down + to);
    if (own.bus < 0) continue;
    links.push_back(own.bus + machine_.group(level, a));
    if (level < meeting) links.push_back(own.bus + machine_.group(level, b));
  }
  if (!machine_.torus() || meeting <= machine_.node_level()) return;
  const std::vector<std::int32_t>& points = machine_.torus()->point_of_node;
  const std::size_t first = links.size();
  machine_.torus()->route(points[static_cast<std::size_t>(raw(machine_.node_of(a)))],
                          points[static_cast<std::size_t>(raw(machine_.node_of(b)))], links);
  for (std::size_t i = first; i < links.size(); ++i) links[i] += torus_;
}

std::span<const std::int32_t> LinkPaths::copying(std::span<const std::int32_t> path) const {
  // A path from a core starts with the sender's upward link; the two limits of level 1 follow, if any.
  const bool from_core = !path.empty() && path.front() < levels_.front().down;
  return from_core && levels_.front().both_ways >= 0 ? path.subspan(1, 2) : path.first(0);
}

MessageOverhead LinkPaths::overhead(std::span<const std::int32_t> path, const LinkFigures& figures,
                                    double bytes) const {
  if (path.empty()) return {figures.message_s(bytes), 0};
  double slowest = std::numeric_limits<double>::infinity();
  double hops_s = 0;
  for (const std::int32_t link : path) {
    if (link >= torus_) {
      hops_s += machine_.torus()->hop_latency_s;
    } else {
      slowest = std::min(slowest, capacity_[static_cast<std::size_t>(link)]);
    }
  }
  // Without a curve, the level's bandwidth is that of its links and says nothing about a single message.
  if (figures.curve.empty()) return {figures.latency_s + hops_s, 0};
  const double beyond_s = std::max(0.0, figures.message_s(bytes) - bytes / slowest);
  const double latency_s = std::min(beyond_s, figures.latency_s);
  return {latency_s + hops_s, beyond_s - latency_s};
}

}  // namespace corewise
