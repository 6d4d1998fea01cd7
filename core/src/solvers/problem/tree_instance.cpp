/// TreeInstance: weights of vertex sets, classes of levels, and vertices on cores.
#include "solvers/problem/tree_instance.hpp"

#include <algorithm>
#include <utility>

namespace corewise {

TreeInstance::TreeInstance(CoreTree of, std::vector<Rank> ranks, const PairGraph& graph)
    : tree(std::move(of)),
      classes(tree.classes()),
      rank(std::move(ranks)),
      n(classes.back().size),
      weight(static_cast<std::size_t>(n) * n, 0) {
  std::vector<int> vertex(graph.n_ranks(), -1);
  for (std::size_t v = 0; v < rank.size(); ++v) vertex[raw(rank[v])] = static_cast<int>(v);
  for (std::size_t u = 0; u < rank.size(); ++u) {
    for (const PairTraffic& pair : graph.partners(rank[u])) {
      const int v = vertex[raw(pair.peer)];
      if (v >= 0) weight[u * n + v] = static_cast<Cost>(pair.bytes);
    }
  }
}

Cost TreeInstance::inside(Subset set) const {
  Cost sum = 0;
  for_each_vertex(set, [&](int u) {
    set &= set - 1;
    for_each_vertex(set, [&](int v) { sum += between(u, v); });
  });
  return sum;
}

Cost TreeInstance::cut(Subset set) const {
  Cost sum = 0;
  const Subset others = all() & ~set;
  for_each_vertex(set, [&](int u) { for_each_vertex(others, [&](int v) { sum += between(u, v); }); });
  return sum;
}

std::vector<int> TreeInstance::classes_of(int level) const {
  std::vector<int> found;
  for (std::size_t class_id = 0; class_id < classes.size(); ++class_id) {
    if (classes[class_id].level == level) found.push_back(static_cast<int>(class_id));
  }
  return found;
}

std::vector<int> TreeInstance::counts() const {
  std::vector<int> count;
  for (const IsomorphismClass& each : classes) count.push_back(each.count);
  return count;
}

std::vector<VertexGroup> TreeInstance::groups(int level, std::span<const CoreIndex> core_of_vertex) const {
  std::vector<Subset> members(tree.objects().size(), 0);  // [object]
  std::vector<VertexGroup> found;
  for (std::size_t object = 0; object < members.size(); ++object) {
    const CoreTree::Object& at = tree.objects()[object];
    for (std::size_t v = 0; at.children.empty() && v < core_of_vertex.size(); ++v) {
      if (core_of_vertex[v] == at.core) members[object] |= Subset{1} << v;
    }
    for (const std::int32_t child : at.children) members[object] |= members[child];
    const bool counts = at.class_id >= 0 && tree.classes()[at.class_id].level == level;
    if (counts) found.push_back({at.class_id, members[object]});
  }
  return found;
}

bool TreeInstance::place(const Divide& divide, std::vector<CoreIndex>& core_of_vertex) const {
  const auto place_below = [&](const auto& itself, const CoreTree::Object& at, Subset set) -> bool {
    if (at.children.empty()) {
      for_each_vertex(set & first_vertices(std::ssize(core_of_vertex)),
                      [&](int v) { core_of_vertex[v] = at.core; });
      return true;
    }
    std::vector<VertexGroup> groups = divide(at.class_id, set);
    if (groups.empty()) return false;
    for (const std::int32_t index : at.children) {
      const CoreTree::Object& child = tree.objects()[index];
      if (child.class_id < 0) continue;
      const auto group = std::ranges::find(groups, child.class_id, &VertexGroup::class_id);
      if (!itself(itself, child, group->members)) return false;
      groups.erase(group);
    }
    return true;
  };
  return place_below(place_below, *std::ranges::find(tree.objects(), root(), &CoreTree::Object::class_id),
                     all());
}

}  // namespace corewise
