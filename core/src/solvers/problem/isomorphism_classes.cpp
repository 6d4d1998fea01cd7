/// isomorphism_classes(): classes in the order in which their first objects stand in the tree.
#include "solvers/problem/isomorphism_classes.hpp"

#include <map>

namespace corewise {

TreeClasses isomorphism_classes(const CoreTree& tree) {
  TreeClasses found;
  std::map<std::pair<int, std::vector<std::pair<int, int>>>, int> known;  // places and children -> class
  for (const CoreTree::Object& object : tree.objects()) {
    if (object.capacity == 0) {
      found.of_object.push_back(-1);
      continue;
    }
    std::map<int, int> count;
    for (const std::int32_t child : object.children) {
      if (found.of_object[child] >= 0) ++count[found.of_object[child]];
    }
    IsomorphismClass form{0, object.capacity, 0, {count.begin(), count.end()}};
    if (!count.empty()) form.level = found.classes[count.begin()->first].level + 1;
    const auto [at, fresh] =
        known.emplace(std::pair(form.size, form.children), static_cast<int>(found.classes.size()));
    if (fresh) found.classes.push_back(std::move(form));
    ++found.classes[at->second].count;
    found.of_object.push_back(at->second);
  }
  return found;
}

}  // namespace corewise
