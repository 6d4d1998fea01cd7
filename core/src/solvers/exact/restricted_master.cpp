/// RestrictedMaster: which columns to start with and which to drop.
#include "solvers/exact/restricted_master.hpp"

#include <algorithm>
#include <tuple>

namespace corewise::exact {

void RestrictedMaster::add_neighbours_of_partition() {
  for (const auto& [class_id, members] : groups_) {
    for_each_vertex(members, [&](int out) {
      for_each_vertex(problem_.instance.all() & ~members,
                      [&](int in) { add({class_id, (members & ~(Subset{1} << out)) | Subset{1} << in}); });
    });
  }
}

void RestrictedMaster::keep_least_reduced_costs(const Duals& duals, std::size_t count) {
  std::ranges::sort(columns_, {}, [&](const Column& column) {
    return std::tuple(column.cost - duals.of(column.members, column.class_id), column.members,
                      column.class_id);
  });
  columns_.resize(std::min(count, columns_.size()));
  for (auto& members : known_) members.clear();
  for (const Column& column : columns_) known_[column.class_id].insert(column.members);
  for (const VertexGroup& group : groups_) add(group);
}

}  // namespace corewise::exact
