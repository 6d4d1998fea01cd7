/// make_tree_machine(): bare trees with distances, as papers on process mapping use them.
#include <numeric>

#include "corewise/error.hpp"
#include "corewise/machine.hpp"
#include "text.hpp"

namespace corewise {
namespace {

std::int32_t count_leaves(std::span<const std::int32_t> arities) {
  std::int64_t n_leaves = 1;
  for (const std::int32_t arity : arities) {
    if (arity < 1) {
      throw Error(ErrorCode::bad_input,
                  concat("a tree with ", arity, " children an object; expected 1 or more on each level"));
    }
    n_leaves *= arity;
    if (n_leaves > kMostCores) {
      throw Error(ErrorCode::bad_input,
                  concat("a tree with more than ", kMostCores, " leaves; expected fewer"));
    }
  }
  return static_cast<std::int32_t>(n_leaves);
}

/// make_machine() alone would not check the distance of a level of arity 1, because it merges that level.
void check_distances(std::span<const std::uint32_t> distances) {
  std::uint32_t below = 0;
  for (const std::uint32_t distance : distances) {
    if (distance == 0 || distance < below) {
      throw Error(ErrorCode::bad_input, concat("distance ", distance, " after ", below,
                                               "; expected distances from 1 that don't fall on the way up"));
    }
    below = distance;
  }
}

}  // namespace

Machine make_tree_machine(std::span<const std::int32_t> arities, std::span<const std::uint32_t> distances) {
  if (arities.empty())
    throw Error(ErrorCode::bad_input, "a tree without levels; expected at least one, such as tree:4:8");
  if (!distances.empty() && distances.size() != arities.size()) {
    throw Error(ErrorCode::bad_input, concat("a tree with ", arities.size(), " levels and ", distances.size(),
                                             " distances; expected one distance a level"));
  }
  check_distances(distances);
  const std::int32_t n_leaves = count_leaves(arities);
  MachineDescription description;
  description.name = "tree";
  description.shape_of_node = {0};
  description.assume_figures = false;
  NodeShape& shape = description.shapes.emplace_back();
  std::int64_t n_leaves_an_object = 1;
  for (std::size_t i = 0; i < arities.size(); ++i) {
    const std::string name = concat("level-", i + 1);
    n_leaves_an_object *= arities[i];
    std::vector<std::int32_t> group(n_leaves);
    for (std::int32_t leaf = 0; leaf < n_leaves; ++leaf)
      group[leaf] = static_cast<std::int32_t>(leaf / n_leaves_an_object);
    shape.level_names.push_back(name);
    shape.group.push_back(std::move(group));
    const auto number = static_cast<std::uint32_t>(i + 1);
    description.distances.push_back({name, distances.empty() ? number : distances[i]});
    description.name += concat(':', arities[i]);
  }
  for (std::size_t i = 0; i < distances.size(); ++i)
    description.name += concat(i == 0 ? '@' : ':', distances[i]);
  shape.pus.reserve(n_leaves);
  for (std::int32_t leaf = 0; leaf < n_leaves; ++leaf) shape.pus.push_back({Pu{PuIndex{leaf}, std::nullopt}});
  return make_machine(description);
}

}  // namespace corewise
