/// TreeInstance: weights of vertex sets and classes of levels.
#include "solvers/problem/tree_instance.hpp"

namespace corewise {

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

}  // namespace corewise
