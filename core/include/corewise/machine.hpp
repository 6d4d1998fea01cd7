/// Machine: nodes, their core trees, the network between them, and what each level's links can carry.
///
/// Levels are counted from the leaves: level 0 is the core, level k joins groups of level k-1. Levels at
/// which every object has a single child are folded into one, so that the distance of two cores is simply the
/// level of their lowest common ancestor. `node_level()` is the level whose objects are nodes; levels above
/// it are network. A machine of one node has no network level.
///
/// Nodes are numbered as the hosts of a job are, cores in the order of the tree. The nodes of one switch need
/// not follow each other in that numbering: node 2 may have lower cores than node 1.
///
/// Links of class k join the objects of level k-1 to their parent at level k. A message between two cores
/// crosses, on each side, the links of class 1 to k, where k is the level of their lowest common ancestor.
/// Where the nodes are in a torus, a message between two of them also crosses links of the torus.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "corewise/device.hpp"
#include "corewise/index.hpp"
#include "corewise/link_figures.hpp"
#include "corewise/torus.hpp"

namespace corewise {

/// The most cores that a machine may have: about 1 GB of memory. The largest machine so far has 10.6 million.
inline constexpr std::int32_t kMostCores = 1 << 24;

/// One hardware thread of a core. `os` is absent on machines that carry no OS numbering (bare trees).
struct Pu {
  PuIndex logical;
  std::optional<OsIndex> os;
  friend bool operator==(const Pu&, const Pu&) = default;
};

/// One level of the tree above the cores.
struct Level {
  std::string name;                ///< "l2", "package", "node", "network", ...
  std::vector<std::string> names;  ///< bottom-up: its name and those of the levels that were folded into it
  std::uint32_t distance = 0;      ///< between two cores whose lowest common ancestor is at this level
  LinkFigures link;                ///< links that join the level below to this one
  friend bool operator==(const Level&, const Level&) = default;
};

/// All objects of one kind: packages, L3 caches, nodes.
///
/// A tree groups all cores at each level. Some of those groups may be no object of the kind: a die without
/// memory is next to those that are NUMA domains, a core without an L3 next to those that share one.
struct ObjectKind {
  std::string name;        ///< "l3", "numa", "package", "node", "network", ...
  int level = 0;           ///< the level that it is folded into; 0: each has a single core
  std::int32_t count = 0;  ///< on the whole machine
  friend bool operator==(const ObjectKind&, const ObjectKind&) = default;
};

/// One node's tree, as a topology reader returns it.
struct NodeShape {
  std::vector<std::string> level_names;  ///< bottom-up, above the core, the node itself last
  std::vector<std::vector<std::int32_t>>
      group;                         ///< [level - 1][core on node] -> object of that level on the node
  std::vector<std::vector<Pu>> pus;  ///< [core on node], each in logical order, never empty
  std::vector<Device> devices;       ///< GPUs, then network cards, each by PCI bus
  std::vector<std::int32_t> n_objects = {};  ///< [level - 1] how many are objects of that kind; empty: all
  /// Number of the system's NUMA nodes. A domain of cores ("numa") with two kinds of memory has several, and
  /// some may be near no cores. 0: unknown.
  std::int32_t n_memory_nodes = 0;
  [[nodiscard]] std::int32_t n_cores() const { return static_cast<std::int32_t>(pus.size()); }
};

/// The first `n_cores` cores of a node, in logical order: the last node of an uneven allocation.
/// @throws Error(bad_input) unless 1 <= n_cores <= shape.n_cores().
[[nodiscard]] NodeShape cut_to_first_cores(const NodeShape& shape, std::int32_t n_cores);

/// One network level: how many children (nodes, or switches of the level below) each switch joins, in order.
///
/// Switches after the last entry have the number of that entry. An entry of 0 joins all remaining children.
struct NetworkLevel {
  std::string name;
  std::vector<std::int32_t> children = {0};
};

/// Everything that make_machine() needs.
///
/// Figures and distances are matched to levels by any name of the level. If levels that were merged have
/// different figures, those of the lowest level count, because two cores meet there. Nodes of different
/// shapes are aligned by level name: a level that a shape lacks has a single child everywhere on its nodes.
struct MachineDescription {
  struct NamedFigures {
    std::string level;
    LinkFigures figures;
  };
  struct NamedDistance {
    std::string level;
    std::uint32_t distance;
  };
  std::string name;
  std::vector<NodeShape> shapes;
  std::vector<std::int32_t> shape_of_node;  ///< [node] -> index into shapes
  std::vector<std::int32_t> node_order;     ///< the nodes from left to right in the tree; empty: 0, 1, 2, ...
  std::vector<NetworkLevel> network;        ///< bottom-up; empty: one that joins all; ignored for one node
  std::vector<NamedFigures> figures;        ///< a level without figures takes the assumed ones
  std::vector<NamedDistance> distances;     ///< empty: the level's number; else one for every level
  std::optional<Torus> torus;               ///< joins all nodes; with one network level; ignored for one node
  bool assume_figures = true;               ///< false: a level without figures has none
};

/// A machine, made by make_machine() or make_tree_machine() and never changed after.
class Machine {
 public:
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::int32_t n_nodes() const { return static_cast<std::int32_t>(first_core_.size()); }
  [[nodiscard]] std::int32_t n_cores() const { return static_cast<std::int32_t>(node_of_core_.size()); }
  [[nodiscard]] std::int32_t n_pus() const { return static_cast<std::int32_t>(pus_.size()); }

  /// Levels above the core, bottom-up: levels()[k - 1] is level k.
  [[nodiscard]] std::span<const Level> levels() const { return levels_; }
  [[nodiscard]] int n_levels() const { return static_cast<int>(levels_.size()); }
  /// Level whose objects are nodes; 0 when every node has a single core.
  [[nodiscard]] int node_level() const { return node_level_; }

  /// All kinds of objects, bottom-up, those of a single core too; none above the core on a bare tree's
  /// leaves.
  [[nodiscard]] std::span<const ObjectKind> objects() const { return objects_; }

  /// Objects at `level` (0: cores), and the one that `core` lies in; numbered over the whole machine.
  [[nodiscard]] std::int32_t n_groups(int level) const {
    return level == 0 ? n_cores() : n_groups_[level - 1];
  }
  [[nodiscard]] std::int32_t group(int level, CoreIndex core) const {
    return level == 0 ? raw(core) : group_[level - 1][raw(core)];
  }

  /// Level of the lowest common ancestor; 0 for the same core. O(1).
  [[nodiscard]] int meeting_level(CoreIndex a, CoreIndex b) const noexcept {
    return level_of_bit_[std::bit_width(code_[raw(a)] ^ code_[raw(b)])];
  }
  /// Distance of two cores: 0 for the same one, else that of their meeting level.
  [[nodiscard]] std::uint32_t distance(CoreIndex a, CoreIndex b) const noexcept {
    return distance_of_level_[meeting_level(a, b)];
  }

  [[nodiscard]] NodeIndex node_of(CoreIndex core) const { return NodeIndex{node_of_core_[raw(core)]}; }
  [[nodiscard]] CoreIndex first_core(NodeIndex node) const { return CoreIndex{first_core_[raw(node)]}; }
  [[nodiscard]] std::int32_t n_cores_on(NodeIndex node) const { return n_cores_on_[raw(node)]; }
  /// Number of the core on its own node, and back.
  [[nodiscard]] std::int32_t core_on_node(CoreIndex core) const {
    return raw(core) - raw(first_core(node_of(core)));
  }
  [[nodiscard]] CoreIndex core_at(NodeIndex node, std::int32_t core_on_node) const {
    return CoreIndex{raw(first_core(node)) + core_on_node};
  }
  [[nodiscard]] std::span<const Pu> pus(CoreIndex core) const {
    return std::span(pus_).subspan(first_pu_[raw(core)], first_pu_[raw(core) + 1] - first_pu_[raw(core)]);
  }
  /// The GPUs of a node, then its network cards, each by PCI bus; none if nobody told of any.
  [[nodiscard]] std::span<const Device> devices(NodeIndex node) const {
    return devices_of_shape_[shape_of_node_[raw(node)]];
  }
  /// All NUMA nodes, as the system counts them (NodeShape::n_memory_nodes); 0: unknown.
  [[nodiscard]] std::int32_t n_memory_nodes() const { return n_memory_nodes_; }
  /// What joins the nodes in place of one switch. Distances and objectives don't look at it: the nodes are
  /// one network level to them. The estimates and the platforms of simulations do.
  [[nodiscard]] const std::optional<Torus>& torus() const { return torus_; }
  /// False for bare trees, whose leaves have no OS numbers.
  [[nodiscard]] bool has_os_indices() const { return has_os_indices_; }
  /// True when every level has a bandwidth, be it assumed. Bare trees have none: their links read 0 and
  /// "none".
  [[nodiscard]] bool has_figures() const;

  /// Hash of tree shape, OS indices and the order of the nodes, nothing else (16 hexadecimal digits).
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }
  /// The same for one node alone: what a node can check about itself.
  [[nodiscard]] std::string node_fingerprint(NodeIndex node) const;

  /// The machine with these cores alone, renumbered in their order, as its nodes are in theirs; levels,
  /// distances and links stay, also those of a level whose objects have a single child each now. Devices are
  /// left out.
  /// @pre `cores` ascend, and there is at least one.
  [[nodiscard]] Machine part(std::span<const CoreIndex> cores) const;
  friend bool operator==(const Machine&, const Machine&) = default;

 private:
  friend class MachineBuilder;
  friend struct NounMembers;  // of the bindings: pickles machines
  /// [node] -> its number in part(cores), -1 if it has none of them: the order of the nodes stays.
  [[nodiscard]] std::vector<std::int32_t> node_numbers(std::span<const CoreIndex> cores) const;

  std::string name_;
  std::vector<Level> levels_;
  std::vector<ObjectKind> objects_;
  int node_level_ = 0;
  std::vector<std::int32_t> n_groups_;
  std::vector<std::vector<std::int32_t>> group_;
  std::vector<std::uint64_t>
      code_;  ///< path from the root, a bit field per level: the highest differing bit tells the level
  std::vector<std::uint8_t> level_of_bit_;
  std::vector<std::uint32_t> distance_of_level_;
  std::vector<std::int32_t> first_core_;  ///< [node]
  std::vector<std::int32_t> n_cores_on_;  ///< [node]
  std::vector<std::int32_t> node_of_core_;
  std::vector<std::int32_t> first_pu_;
  std::vector<Pu> pus_;
  std::vector<std::vector<Device>> devices_of_shape_;
  std::vector<std::int32_t> shape_of_node_;  ///< [node] -> index into devices_of_shape_
  std::int32_t n_memory_nodes_ = 0;
  std::optional<Torus> torus_;
  bool has_os_indices_ = false;
  std::string fingerprint_;

  auto members() {
    return std::tie(name_, levels_, objects_, node_level_, n_groups_, group_, code_, level_of_bit_,
                    distance_of_level_, first_core_, n_cores_on_, node_of_core_, first_pu_, pus_,
                    devices_of_shape_, shape_of_node_, n_memory_nodes_, torus_, has_os_indices_,
                    fingerprint_);
  }
};

/// Builds and checks a machine.
/// @throws Error(bad_input) for an empty or inconsistent description, a figure or distance for a level that
/// the
///   description doesn't have, distances that miss a level or descend, or a tree whose paths need over 64
///   bits.
[[nodiscard]] Machine make_machine(const MachineDescription& description);

/// A bare tree as the mapping literature writes it, lowest level first; one node, no OS indices, no figures.
/// @param arities    children of an object of each level, at least 1; a level of arity 1 is folded.
/// @param distances  one per level, for a common ancestor at that level, not descending; empty: 1, 2, 3, ...
/// @throws Error(bad_input)
[[nodiscard]] Machine make_tree_machine(std::span<const std::int32_t> arities,
                                        std::span<const std::uint32_t> distances);

}  // namespace corewise
