/// make_machine(): builds a machine from its description.
#include "corewise/machine.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "corewise/error.hpp"
#include "text.hpp"
#include "topology/fingerprint.hpp"
#include "topology/node_shape.hpp"

namespace corewise {
namespace {

constexpr int kCodeBits = 64;
constexpr std::string_view kDefaultNetwork = "network";

/// Rounded orders of magnitude of MPI on servers of about 2010 to 2020, not of a particular machine. One link
/// is a core's port to a shared cache, a cache's or die's port inside its package, a package's port to the
/// other packages, or a node's network adapter. Predictions that use assumed figures get wider intervals.
struct AssumedRow {
  std::string_view kind;
  LinkFigures figures;
};
const std::array<AssumedRow, 4> kAssumed{{
    {"shared cache", {3e-7, 1e10, "assumed: typical of cores that share a cache"}},
    {"package", {4e-7, 2e10, "assumed: typical inside a package"}},
    {"node", {6e-7, 2e10, "assumed: typical between packages"}},
    {"network", {2e-6, 1e10, "assumed: typical cluster network"}},
}};

std::string_view kind_of(std::string_view name, bool is_network) {
  if (is_network) return "network";
  if (name == "node") return "node";
  const bool is_cache = name.size() > 1 && name[0] == 'l' && name[1] >= '0' && name[1] <= '9';
  return is_cache ? "shared cache" : "package";
}

/// Assumed figures of a level that was not measured. `is_network` is true for levels above the node.
LinkFigures assumed_figures(std::string_view level_name, bool is_network) {
  const std::string_view kind = kind_of(level_name, is_network);
  for (const AssumedRow& row : kAssumed) {
    if (row.kind == kind) return row.figures;
  }
  return kAssumed.back().figures;
}

/// The best-known name of merged levels: node, package or numa if present, else the lowest.
std::string readable_name(const std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 3> kPreferred{"node", "package", "numa"};
  for (const std::string_view preferred : kPreferred) {
    if (std::find(names.begin(), names.end(), preferred) != names.end()) return std::string(preferred);
  }
  return names.front();
}

/// [child] -> its switch at this network level; the children are nodes, or switches of the level below.
std::vector<std::int32_t> switches_above(const NetworkLevel& level, std::int32_t n_children) {
  if (level.children.empty() || *std::min_element(level.children.begin(), level.children.end()) < 0) {
    throw Error(
        ErrorCode::bad_input,
        concat("network level '", level.name,
               "' has a switch with less than 0 children, or lists none; expected 1 or more for each, "
               "or 0 for all that are left"));
  }
  std::vector<std::int32_t> switch_of_child(n_children);
  std::size_t number = 0;  // of the switch
  std::int32_t n_joined = 0;
  for (std::int32_t child = 0; child < n_children; ++child) {
    const std::int32_t most = level.children[std::min(number, level.children.size() - 1)];
    if (most != 0 && n_joined == most) {
      ++number;
      n_joined = 0;
    }
    switch_of_child[child] = static_cast<std::int32_t>(number);
    ++n_joined;
  }
  if (number + 1 < level.children.size()) {
    throw Error(ErrorCode::bad_input, concat("network level '", level.name, "' lists ", level.children.size(),
                                             " switches for ", n_children, " children, which the first ",
                                             number + 1, " join; expected a child for each switch"));
  }
  return switch_of_child;
}

/// The entry of the first name that has one; nullptr if no name has an entry. `names` is bottom-up.
template <typename Named>
const Named* find_named(const std::vector<Named>& entries, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const Named& entry) { return entry.level == name; });
    if (found != entries.end()) return &*found;
  }
  return nullptr;
}

}  // namespace

bool Machine::has_figures() const {
  return std::all_of(levels_.begin(), levels_.end(),
                     [](const Level& level) { return level.link.bandwidth_bytes_per_s > 0; });
}

std::string Machine::node_fingerprint(NodeIndex node) const {
  const std::int32_t first = first_core_[raw(node)];
  return corewise::fingerprint(*this, {first, first + n_cores_on_[raw(node)]}, node_level_);
}

class MachineBuilder {
 public:
  explicit MachineBuilder(const MachineDescription& description) : description_(description) {}

  Machine build() {
    check_description();
    set_node_order();
    machine_.name_ = description_.name;
    add_cores();
    if (machine_.has_os_indices_) {
      machine_.shapes_ = description_.shapes;
      machine_.shape_of_node_ = description_.shape_of_node;
    }
    count_memory_nodes();
    add_node_levels();
    if (machine_.n_nodes() > 1) add_network_levels();
    if (machine_.n_nodes() > 1 && description_.torus) add_torus(*description_.torus);
    check_named(description_.figures, "figure");
    check_named(description_.distances, "distance");
    for (int level = 1; level <= machine_.n_levels(); ++level) set_figures(level);
    set_distances();
    set_codes();
    machine_.fingerprint_ = corewise::fingerprint(machine_, {0, machine_.n_cores()}, machine_.n_levels());
    return std::move(machine_);
  }

 private:
  void check_description() const {
    if (description_.shape_of_node.empty())
      throw Error(ErrorCode::bad_input, "a machine without nodes; expected at least one");
    for (const NodeShape& shape : description_.shapes) check(shape);
    for (const std::int32_t shape : description_.shape_of_node) {
      if (shape < 0 || static_cast<std::size_t>(shape) >= description_.shapes.size()) {
        throw Error(ErrorCode::bad_input, concat("a node has shape ", shape, " of ",
                                                 description_.shapes.size(), "; expected one that is there"));
      }
    }
  }

  void set_node_order() {
    node_order_ = description_.node_order;
    std::vector<std::int32_t> ascending(description_.shape_of_node.size());
    std::iota(ascending.begin(), ascending.end(), 0);
    if (node_order_.empty()) node_order_ = ascending;
    std::vector<std::int32_t> sorted = node_order_;
    std::ranges::sort(sorted);
    if (sorted != ascending) {
      throw Error(ErrorCode::bad_input,
                  concat("the node order has ", node_order_.size(), " entries for ", ascending.size(),
                         " nodes, or one of them twice; expected each "
                         "node once"));
    }
  }

  [[nodiscard]] const NodeShape& shape_of(std::int32_t node) const {
    return description_.shapes[description_.shape_of_node[node]];
  }

  void count_memory_nodes() {
    for (const std::int32_t node : node_order_) {
      if (shape_of(node).n_memory_nodes == 0) {
        machine_.n_memory_nodes_ = 0;
        return;
      }
      machine_.n_memory_nodes_ += shape_of(node).n_memory_nodes;
    }
  }

  void add_cores() {
    std::int64_t n_cores = 0;
    for (const std::int32_t node : node_order_) n_cores += shape_of(node).n_cores();
    if (n_cores > kMostCores) {
      throw Error(ErrorCode::bad_input,
                  concat("a machine with ", n_cores, " cores; expected at most ", kMostCores));
    }
    machine_.node_of_core_.reserve(n_cores);
    machine_.first_pu_.reserve(n_cores + 1);
    machine_.first_core_.resize(node_order_.size());
    machine_.n_cores_on_.resize(node_order_.size());
    machine_.first_pu_.push_back(0);
    for (const std::int32_t node : node_order_) {
      machine_.first_core_[node] = static_cast<std::int32_t>(machine_.node_of_core_.size());
      machine_.n_cores_on_[node] = shape_of(node).n_cores();
      for (const std::vector<Pu>& pus : shape_of(node).pus) {
        machine_.pus_.insert(machine_.pus_.end(), pus.begin(), pus.end());
        machine_.first_pu_.push_back(static_cast<std::int32_t>(machine_.pus_.size()));
        machine_.node_of_core_.push_back(node);
      }
    }
    const auto has_os = [](const Pu& pu) { return pu.os.has_value(); };
    machine_.has_os_indices_ = std::all_of(machine_.pus_.begin(), machine_.pus_.end(), has_os);
    if (!machine_.has_os_indices_ && std::any_of(machine_.pus_.begin(), machine_.pus_.end(), has_os)) {
      throw Error(ErrorCode::bad_input,
                  "some nodes have OS indices and others have none; expected all or none");
    }
  }

  void add_node_levels() {
    const AlignedShapes aligned = align(description_.shapes);
    for (std::size_t level = 0; level < aligned.level_names.size(); ++level) {
      std::vector<std::int32_t> group;
      group.reserve(machine_.n_cores());
      std::int32_t n_groups = 0;
      for (const std::int32_t node : node_order_) {
        const std::vector<std::int32_t>& on_node = aligned.group[description_.shape_of_node[node]][level];
        for (const std::int32_t object : on_node) group.push_back(n_groups + object);
        n_groups += on_node.back() + 1;
      }
      add_level(aligned.level_names[level], std::move(group), n_groups);
      machine_.objects_.back().count -= n_without_object(aligned, level);
    }
    machine_.node_level_ = machine_.n_levels();
  }

  /// Groups of an aligned level that are no objects of its kind; see ObjectKind.
  [[nodiscard]] std::int32_t n_without_object(const AlignedShapes& aligned, std::size_t level) const {
    std::int32_t n = 0;
    for (const std::int32_t shape : description_.shape_of_node) n += aligned.n_without_object[shape][level];
    return n;
  }

  void add_network_levels() {
    std::vector<NetworkLevel> network = description_.network;
    if (network.empty()) network.push_back({std::string(kDefaultNetwork), {0}});
    std::vector<std::int32_t> switch_of_node(machine_.n_nodes());
    for (std::size_t i = 0; i < node_order_.size(); ++i) {
      switch_of_node[node_order_[i]] = static_cast<std::int32_t>(i);
    }
    std::int32_t n_groups = machine_.n_nodes();
    for (const NetworkLevel& level : network) {
      const std::vector<std::int32_t> switch_of_child = switches_above(level, n_groups);
      for (std::int32_t& above : switch_of_node) above = switch_of_child[above];
      std::vector<std::int32_t> group(machine_.node_of_core_);
      for (std::int32_t& object : group) object = switch_of_node[object];
      n_groups = group.back() + 1;
      add_level(level.name, std::move(group), n_groups);
    }
    if (n_groups > 1) {
      throw Error(ErrorCode::bad_input,
                  concat("the highest network level '", network.back().name, "' leaves ", n_groups,
                         " separate groups; expected a last level that joins all of them"));
    }
  }

  void add_torus(const Torus& torus) {
    if (description_.network.size() > 1) {
      throw Error(ErrorCode::bad_input,
                  concat("'", description_.name, "' has a torus and ", description_.network.size(),
                         " levels of switches; expected one network level with a torus"));
    }
    if (!description_.node_order.empty()) {
      throw Error(ErrorCode::bad_input,
                  concat("'", description_.name,
                         "' has a torus and an order of its nodes; expected the points of the nodes alone"));
    }
    check_torus(description_.name, torus, machine_.n_nodes());
    machine_.torus_ = torus;
  }

  /// Appends a level, or merges it into the level below if each of its objects has a single child.
  void add_level(const std::string& name, std::vector<std::int32_t> group, std::int32_t n_groups) {
    known_names_.push_back(name);
    if (n_groups != machine_.n_groups(machine_.n_levels())) {
      machine_.group_.push_back(std::move(group));
      machine_.n_groups_.push_back(n_groups);
      machine_.levels_.emplace_back();
    }
    machine_.objects_.push_back({name, machine_.n_levels(), n_groups});
    if (machine_.levels_.empty()) return;  // merged into the core
    Level& level = machine_.levels_.back();
    level.names.push_back(name);
    level.name = readable_name(level.names);
  }

  template <typename Named>
  void check_named(const std::vector<Named>& entries, std::string_view what) const {
    std::vector<std::string_view> names(known_names_.begin(), known_names_.end());
    if (machine_.n_nodes() == 1) {  // no network level, but its figures are valid input
      names.push_back(kDefaultNetwork);
      for (const NetworkLevel& level : description_.network) names.push_back(level.name);
    }
    for (const Named& entry : entries) {
      if (std::find(names.begin(), names.end(), entry.level) == names.end()) {
        throw Error(ErrorCode::bad_input,
                    concat("a ", what, " for level '", entry.level, "', which '", description_.name,
                           "' doesn't have", did_you_mean(entry.level, names)));
      }
    }
  }

  void set_figures(int number) {
    Level& level = machine_.levels_[number - 1];
    const bool is_network = number > machine_.node_level_;
    if (const auto* named = find_named(description_.figures, level.names)) {
      check_figures(named->level, named->figures);
      level.link = named->figures;
    } else if (description_.assume_figures) {
      level.link = assumed_figures(level.names.front(), is_network);
    } else {
      level.link.source = "none";
    }
  }

  void set_distances() {
    std::vector<std::uint32_t>& distances = machine_.distance_of_level_;
    distances.push_back(0);
    for (Level& level : machine_.levels_) {
      level.distance = static_cast<std::uint32_t>(distances.size());
      if (!description_.distances.empty()) {
        const auto* named = find_named(description_.distances, level.names);
        if (named == nullptr) {
          throw Error(ErrorCode::bad_input, concat("no distance for level '", level.name,
                                                   "'; expected one for every level, or none at all"));
        }
        level.distance = named->distance;
      }
      if (level.distance == 0 || level.distance < distances.back()) {
        throw Error(
            ErrorCode::bad_input,
            concat("distance ", level.distance, " at level '", level.name, "' after ", distances.back(),
                   " below it; expected distances from 1 that don't fall on the way up"));
      }
      distances.push_back(level.distance);
    }
  }

  /// A code has one bit field per level, the lowest level in the lowest bits. The field of level k is the
  /// number of the core's object of level k - 1 among its siblings.
  void set_codes() {
    machine_.code_.assign(machine_.n_cores(), 0);
    machine_.level_of_bit_.assign(kCodeBits + 1, 0);
    std::vector<std::uint32_t> child(machine_.n_cores());
    int n_bits = 0;
    for (int level = 1; level <= machine_.n_levels(); ++level) {
      const int width = std::bit_width(number_children(level, child));
      if (n_bits + width > kCodeBits) {
        throw Error(ErrorCode::bad_input, concat("the tree is too wide: its paths need more than ", kCodeBits,
                                                 " bits at level '", machine_.levels_[level - 1].name, "'"));
      }
      for (std::size_t core = 0; core < child.size(); ++core) {
        machine_.code_[core] |= static_cast<std::uint64_t>(child[core]) << n_bits;
      }
      std::fill_n(machine_.level_of_bit_.begin() + n_bits + 1, width, static_cast<std::uint8_t>(level));
      n_bits += width;
    }
  }

  /// Fills `child`: [core] number of its object of level - 1 among its siblings. Returns the greatest.
  std::uint32_t number_children(int level, std::vector<std::uint32_t>& child) const {
    std::uint32_t greatest = 0;
    child[0] = 0;
    for (std::int32_t core = 1; core < machine_.n_cores(); ++core) {
      const CoreIndex here{core};
      const CoreIndex before{core - 1};
      if (machine_.group(level, here) != machine_.group(level, before)) {
        child[core] = 0;
      } else {
        child[core] =
            child[core - 1] + (machine_.group(level - 1, here) != machine_.group(level - 1, before) ? 1 : 0);
      }
      greatest = std::max(greatest, child[core]);
    }
    return greatest;
  }

  const MachineDescription& description_;
  std::vector<std::int32_t> node_order_;  ///< never empty
  std::vector<std::string> known_names_;
  Machine machine_;
};

Machine make_machine(const MachineDescription& description) { return MachineBuilder(description).build(); }

}  // namespace corewise
