/// CoreTree: how it is built, the classes of equal subtrees, and the cores that are worth trying.
#include "solvers/problem/core_tree.hpp"

#include <algorithm>
#include <map>

#include "corewise/equal_subtrees.hpp"

namespace corewise {

CoreTree::CoreTree(const Machine& machine, std::span<const std::int32_t> capacity, int level, CoreIndex first,
                   std::span<const std::int32_t> class_of) {
  const std::int32_t root = machine.group(level, first);
  first_core_ = raw(first);
  while (first_core_ > 0 && machine.group(level, CoreIndex{first_core_ - 1}) == root) --first_core_;
  for (std::int32_t core = first_core_; core < machine.n_cores(); ++core) {
    if (machine.group(level, CoreIndex{core}) != root) break;
    leaf_of_core_.push_back(static_cast<std::int32_t>(objects_.size()));
    objects_.push_back({-1, -1, capacity[core], 0, CoreIndex{core}, {}});
  }

  std::vector<std::int32_t> below = leaf_of_core_;  // [core - first_core_] -> its object one level down
  for (int k = 1; k <= level; ++k) {
    std::map<std::int32_t, std::int32_t> object_of_group;
    for (std::size_t i = 0; i < below.size(); ++i) {
      const std::int32_t group = machine.group(k, CoreIndex{first_core_ + static_cast<std::int32_t>(i)});
      const auto [found, fresh] = object_of_group.emplace(group, static_cast<std::int32_t>(objects_.size()));
      if (fresh) objects_.emplace_back();
      const std::int32_t parent = found->second;
      if (objects_[below[i]].parent == -1) {
        objects_[below[i]].parent = parent;
        objects_[parent].children.push_back(below[i]);
        objects_[parent].capacity += objects_[below[i]].capacity;
      }
      below[i] = parent;
    }
  }
  find_classes(class_of);
}

/// Classes get their numbers in the order of objects().
void CoreTree::find_classes(std::span<const std::int32_t> class_of) {
  std::vector<std::int32_t> parent;
  std::vector<std::int64_t> mark;
  for (const Object& object : objects_) {
    parent.push_back(object.parent);
    const bool told_apart = object.children.empty() && !class_of.empty();
    const std::int32_t capacity = object.children.empty() ? object.capacity : 0;
    mark.push_back(object.capacity == 0 ? -1
                                        : mark_of(told_apart ? class_of[raw(object.core)] : 0, capacity));
  }
  const std::vector<std::int32_t> classes = equal_subtrees(parent, mark);
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    Object& object = objects_[i];
    object.class_id = classes[i];
    if (object.class_id == std::ssize(classes_)) {  // the first of its class
      std::map<int, int> count;
      for (const std::int32_t child : object.children) {
        if (classes[child] >= 0) ++count[classes[child]];
      }
      const int level = count.empty() ? 0 : classes_[count.begin()->first].level + 1;
      classes_.push_back({level, object.capacity, {count.begin(), count.end()}});
    }
  }
}

void CoreTree::list_choices(std::vector<CoreChoice>& choices) const {
  choices.clear();
  visit(static_cast<std::int32_t>(objects_.size()) - 1, 1, choices);
}

void CoreTree::add(CoreIndex core, std::int32_t amount) {
  for (std::int32_t object = leaf_of_core_[raw(core) - first_core_]; object != -1;
       object = objects_[object].parent) {
    objects_[object].used += amount;
  }
}

void CoreTree::visit(std::int32_t index, std::uint64_t n_equal, std::vector<CoreChoice>& choices) const {
  const Object& object = objects_[index];
  if (object.used >= object.capacity) return;
  if (object.children.empty()) {
    choices.push_back({object.core, n_equal});
    return;
  }
  for (auto child = object.children.begin(); child != object.children.end(); ++child) {
    const auto is_twin = [&](std::int32_t other) {
      return objects_[other].used == 0 && objects_[other].class_id == objects_[*child].class_id;
    };
    if (objects_[*child].used > 0) {
      visit(*child, n_equal, choices);
    } else if (std::none_of(object.children.begin(), child, is_twin)) {
      visit(*child, n_equal * std::count_if(child, object.children.end(), is_twin), choices);
    }
  }
}

}  // namespace corewise
