/// Node shapes: checks, cutting to the first cores, alignment of different shapes.
#include "topology/node_shape.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {
namespace {

void check_level(const NodeShape& shape, std::size_t level) {
  const std::vector<std::int32_t>& group = shape.group[level];
  const std::string& name = shape.level_names[level];
  if (group.size() != shape.pus.size()) {
    throw Error(ErrorCode::bad_input,
                concat("level '", name, "' groups ", group.size(), " cores of a node with ", shape.pus.size(),
                       "; expected each core once"));
  }
  for (std::size_t core = 0; core < group.size(); ++core) {
    const std::int32_t before = core == 0 ? -1 : group[core - 1];
    if (group[core] != before && group[core] != before + 1) {
      throw Error(ErrorCode::bad_input,
                  concat("level '", name, "' has object ", group[core], " after ", before, " at core ", core,
                         "; expected objects numbered in the cores' order"));
    }
    const bool splits_below = level > 0 && core > 0 && group[core] != before &&
                              shape.group[level - 1][core] == shape.group[level - 1][core - 1];
    if (splits_below) {
      throw Error(ErrorCode::bad_input,
                  concat("level '", name, "' splits an object of '", shape.level_names[level - 1],
                         "' at core ", core, "; expected levels that nest"));
    }
  }
}

void check_pus(const NodeShape& shape) {
  std::set<std::int32_t> seen;
  std::size_t n_with_os = 0;
  std::size_t n_pus = 0;
  for (std::size_t core = 0; core < shape.pus.size(); ++core) {
    if (shape.pus[core].empty())
      throw Error(ErrorCode::bad_input, concat("core ", core, " has no PU; expected at least one"));
    for (const Pu& pu : shape.pus[core]) {
      ++n_pus;
      if (!pu.os) continue;
      ++n_with_os;
      if (!seen.insert(raw(*pu.os)).second) {
        throw Error(ErrorCode::bad_input,
                    concat("the PU with OS index ", raw(*pu.os), " appears twice on a node (again at core ",
                           core, "); expected every PU once"));
      }
    }
  }
  if (n_with_os != 0 && n_with_os != n_pus) {
    throw Error(ErrorCode::bad_input,
                concat(n_with_os, " of ", n_pus, " PUs have an OS index; expected all or none"));
  }
}

void check_devices(const NodeShape& shape) {
  for (const Device& device : shape.devices) {
    for (const std::int32_t core : device.cores) {
      if (core >= 0 && core < shape.n_cores()) continue;
      throw Error(ErrorCode::bad_input,
                  concat("device ", device.bus_id, " is next to core ", core, " of a node with ",
                         shape.n_cores(), " cores; expected one that is there"));
    }
  }
}

/// Inserts the names that `merged` lacks, each after its predecessor in `names`.
void merge_names(std::vector<std::string>& merged, const std::vector<std::string>& names) {
  auto place = merged.begin();
  for (const std::string& name : names) {
    const auto found = std::find(merged.begin(), merged.end(), name);
    if (found == merged.end()) {
      place = merged.insert(place, name) + 1;
    } else if (found < place) {
      throw Error(ErrorCode::bad_input, concat("two kinds of node order the level '", name,
                                               "' differently; expected one order of levels on all nodes"));
    } else {
      place = found + 1;
    }
  }
}

}  // namespace

void check(const NodeShape& shape) {
  if (shape.pus.empty()) throw Error(ErrorCode::bad_input, "a node has no core; expected at least one");
  if (shape.level_names.empty() || shape.level_names.size() != shape.group.size()) {
    throw Error(ErrorCode::bad_input,
                concat("a node has ", shape.level_names.size(), " level names and ", shape.group.size(),
                       " levels; expected as many of each, the node last"));
  }
  if (std::set<std::string>(shape.level_names.begin(), shape.level_names.end()).size() !=
      shape.level_names.size()) {
    throw Error(ErrorCode::bad_input, "a node has two levels of one name; expected different names");
  }
  for (std::size_t level = 0; level < shape.group.size(); ++level) check_level(shape, level);
  if (!shape.n_objects.empty() && shape.n_objects.size() != shape.group.size()) {
    throw Error(ErrorCode::bad_input,
                concat("a node has ", shape.n_objects.size(), " numbers of objects for ", shape.group.size(),
                       " levels; expected one for each"));
  }
  if (shape.group.back().back() != 0) {
    throw Error(ErrorCode::bad_input,
                concat("the highest level '", shape.level_names.back(), "' of a node has ",
                       shape.group.back().back() + 1, " objects; expected one, the node"));
  }
  check_pus(shape);
  check_devices(shape);
}

NodeShape cut_to_first_cores(const NodeShape& shape, std::int32_t n_cores) {
  if (n_cores < 1 || n_cores > shape.n_cores()) {
    throw Error(ErrorCode::bad_input,
                concat("a node can't be cut to ", n_cores, " cores; expected 1 to ", shape.n_cores()));
  }
  NodeShape cut = shape;
  cut.n_memory_nodes = 0;
  cut.pus.resize(n_cores);
  for (std::vector<std::int32_t>& group : cut.group) group.resize(n_cores);
  for (Device& device : cut.devices)
    std::erase_if(device.cores, [=](std::int32_t core) { return core >= n_cores; });
  std::erase_if(cut.devices, [](const Device& device) { return device.cores.empty(); });
  for (std::size_t level = 0; level < cut.n_objects.size(); ++level)
    cut.n_objects[level] = std::min(cut.n_objects[level], cut.group[level].back() + 1);
  return cut;
}

AlignedShapes align(std::span<const NodeShape> shapes) {
  AlignedShapes aligned;
  for (const NodeShape& shape : shapes) {
    if (shape.level_names.back() != shapes[0].level_names.back()) {
      throw Error(ErrorCode::bad_input,
                  concat("nodes are called '", shapes[0].level_names.back(), "' and '",
                         shape.level_names.back(), "'; expected one name for the highest level"));
    }
    merge_names(aligned.level_names, shape.level_names);
  }
  for (const NodeShape& shape : shapes) {
    std::vector<std::int32_t> below(shape.pus.size());
    std::iota(below.begin(), below.end(), 0);
    std::vector<std::vector<std::int32_t>>& groups = aligned.group.emplace_back();
    std::vector<std::int32_t>& n_without_object = aligned.n_without_object.emplace_back();
    for (const std::string& name : aligned.level_names) {
      const auto found = std::find(shape.level_names.begin(), shape.level_names.end(), name);
      const std::size_t level = found - shape.level_names.begin();
      if (level < shape.group.size()) below = shape.group[level];
      groups.push_back(below);
      const std::int32_t n_groups = below.back() + 1;
      std::int32_t n_objects = level < shape.group.size() ? n_groups : 0;  // a shape without that level
      if (level < shape.n_objects.size()) n_objects = shape.n_objects[level];
      n_without_object.push_back(n_groups - n_objects);
    }
  }
  return aligned;
}

}  // namespace corewise
