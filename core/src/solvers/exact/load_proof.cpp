/// What proofs of least and of most loads share.
#include "solvers/exact/load_proof.hpp"

#include <algorithm>

namespace corewise::exact {

std::vector<Cost> fullest_links(const LoadInstance& instance, const CoreTree& tree,
                                std::span<const CoreIndex> core_of_vertex) {
  const int top = instance.classes.back().level;
  std::vector<Subset> held(tree.objects().size(), 0);
  std::vector<Cost> fullest(top + 1, 0);
  for (std::size_t object = 0; object < held.size(); ++object) {
    const CoreTree::Object& at = tree.objects()[object];
    if (at.capacity == 0) continue;
    for (std::size_t v = 0; at.children.empty() && v < core_of_vertex.size(); ++v) {
      if (core_of_vertex[v] == at.core) held[object] |= Subset{1} << v;
    }
    for (const std::int32_t child : at.children) held[object] |= held[child];
    Cost& load = fullest[instance.classes[instance.class_of_object[object]].level];
    load = std::max(load, instance.cut(held[object]));
  }
  std::vector<Cost> from_top;
  for (int level = top - 1; level >= 1; --level) from_top.push_back(fullest[level]);
  return from_top;
}

}  // namespace corewise::exact
