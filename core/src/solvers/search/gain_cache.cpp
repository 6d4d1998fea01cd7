/// GainCache: fills the cache, and updates it when vertices move.
#include "solvers/search/gain_cache.hpp"

#include <utility>

namespace corewise::search {

std::size_t GainCache::n_entries(const SlotTree& tree) {
  std::size_t n_columns = 0;
  for (int level = tree.lowest_level(); level < tree.n_levels(); ++level) n_columns += tree.n_groups(level);
  return n_columns * static_cast<std::size_t>(tree.n_slots());
}

GainCache::GainCache(const HopModel& model, SlotOfVertex slot_of, WorkMeter& work)
    : graph_(&model.graph),
      work_(&work),
      mapping_(model.tree, std::move(slot_of)),
      value_(hop_bytes(model, mapping_.slots())) {
  const auto& [graph, tree, sign, rules] = model;
  const int lowest = tree.lowest_level();
  n_depths_ = static_cast<std::size_t>(tree.n_levels() - lowest);
  columns_.resize(n_depths_ * static_cast<std::size_t>(tree.n_slots()));
  steps_below_.assign(1, 0);
  for (std::size_t depth = 0; depth < n_depths_; ++depth) {
    const int level = lowest + static_cast<int>(depth);
    for (std::int32_t slot = 0; slot < tree.n_slots(); ++slot) {
      columns_[static_cast<std::size_t>(slot) * n_depths_ + depth] =
          static_cast<std::int32_t>(n_columns_) + tree.group(level, slot);
    }
    n_columns_ += tree.n_groups(level);
    step_.push_back(sign * (tree.distance_of_level(level + 1) - tree.distance_of_level(level)));
    steps_below_.push_back(steps_below_.back() + step_.back());
  }
  connection_.assign(n_columns_ * static_cast<std::size_t>(graph.n()), 0);
  for (std::int32_t v = 0; v < graph.n(); ++v) {
    Cost* const row = connection_.data() + v * n_columns_;
    for (const Edge& edge : graph.row(v)) {
      const std::int32_t* const column = columns(mapping_.slot(edge.to));
      for (std::size_t depth = 0; depth < n_depths_; ++depth)
        row[column[depth]] += edge.weight * step_[depth];
    }
  }
  work.add(connection_.size() / 8 + graph.edges.size() * n_depths_);
}

Cost GainCache::correction_for_edge(std::int32_t u, std::int32_t v) const {
  for (const Edge& edge : graph_->row(u)) {
    if (edge.to == v) return 2 * edge.weight * steps_below_[n_depths_apart(u, v)];
  }
  return 0;
}

void GainCache::swap(std::int32_t u, std::int32_t v, Cost delta) {
  const std::size_t n_depths = n_depths_apart(u, v);
  const std::int32_t slot_u = mapping_.slot(u), slot_v = mapping_.slot(v);
  move_connections(u, slot_u, slot_v, n_depths);
  move_connections(v, slot_v, slot_u, n_depths);
  mapping_.swap(u, v);
  value_ += delta;
}

/// Updates the connections of v's partners when v moves from one slot to another.
void GainCache::move_connections(std::int32_t v, std::int32_t from, std::int32_t target,
                                 std::size_t n_depths) {
  const std::int32_t* const old_column = columns(from);
  const std::int32_t* const new_column = columns(target);
  for (const Edge& edge : graph_->row(v)) {
    Cost* const row = connection_.data() + edge.to * n_columns_;
    for (std::size_t depth = 0; depth < n_depths; ++depth) {
      const Cost connection = edge.weight * step_[depth];
      row[old_column[depth]] -= connection;
      row[new_column[depth]] += connection;
    }
  }
  work_->add(graph_->row(v).size() * n_depths);
}

}  // namespace corewise::search
