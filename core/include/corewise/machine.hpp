/// Machine: nodes, their trees of cores, the network between them, and the performance of each level's links.
///
/// Levels are counted from the leaves: level 0 is the core, and an object of level k joins objects of level
/// k-1. A level whose objects all have a single child is merged into the level below. By default, the
/// distance of two cores is the level of their lowest common ancestor. `node_level()` is the level whose
/// objects are nodes; the levels above it are the network. A machine of one node has no network level.
///
/// Nodes have the order of the job's hosts, cores the order of the tree. The two orders can differ, because
/// the nodes of one switch need not be consecutive: cores of node 2 may come before those of node 1.
///
/// Links of class k join the objects of level k-1 to their parent at level k. A message between two cores
/// crosses, on each side, the links of class 1 to k, where k is the level of their lowest common ancestor.
/// If the network is a torus, a message between two nodes also crosses links of the torus.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "corewise/device.hpp"
#include "corewise/index.hpp"
#include "corewise/link_figures.hpp"
#include "corewise/torus.hpp"

namespace corewise {

/// Greatest number of cores: a machine then takes about 1 GB. The largest real one has 10.6 million cores.
inline constexpr std::int32_t kMostCores = 1 << 24;

/// One hardware thread of a core. `os` is empty on machines without OS indices (bare trees).
struct Pu {
  PuIndex logical;
  std::optional<OsIndex> os;
  friend bool operator==(const Pu&, const Pu&) = default;
};

/// One level of the tree above the cores.
struct Level {
  std::string name;                ///< "l2", "package", "node", "network", ...
  std::vector<std::string> names;  ///< bottom-up: names of all levels that were merged into this one
  std::uint32_t distance = 0;      ///< between two cores whose lowest common ancestor is at this level
  LinkFigures link;                ///< links that join the level below to this one
  friend bool operator==(const Level&, const Level&) = default;
};

/// The number of objects of one kind, for example of L3 caches.
///
/// It can be lower than the number of groups of its level, because a level divides all cores into groups, and
/// some groups may lack the object: a die without memory is no NUMA domain, and a core may have no L3.
struct ObjectKind {
  std::string name;        ///< "l3", "numa", "package", "node", "network", ...
  int level = 0;           ///< the level that contains it, possibly merged; 0: each has a single core
  std::int32_t count = 0;  ///< on the whole machine
  friend bool operator==(const ObjectKind&, const ObjectKind&) = default;
};

/// The tree of one node.
struct NodeShape {
  std::vector<std::string> level_names;  ///< bottom-up from above the core; the node is last
  std::vector<std::vector<std::int32_t>>
      group;                                 ///< [level - 1][core on node] -> group of that level on the node
  std::vector<std::vector<Pu>> pus;          ///< [core on node] in logical order, never empty
  std::vector<Device> devices;               ///< GPUs, then network cards, each by PCI bus id
  std::vector<std::int32_t> n_objects = {};  ///< [level - 1] ObjectKind::count on the node; empty: all groups
  /// Number of NUMA nodes of the operating system. It can exceed the number of "numa" objects: a domain with
  /// two kinds of memory has two NUMA nodes, and a NUMA node may be local to no core. 0: unknown.
  std::int32_t n_memory_nodes = 0;
  [[nodiscard]] std::int32_t n_cores() const { return static_cast<std::int32_t>(pus.size()); }
  friend bool operator==(const NodeShape&, const NodeShape&) = default;
};

/// A node with only its first `n_cores` cores in logical order, for an allocation that uses part of a node.
/// @throws Error(bad_input) unless 1 <= n_cores <= shape.n_cores().
[[nodiscard]] NodeShape cut_to_first_cores(const NodeShape& shape, std::int32_t n_cores);

/// One network level: number of children (nodes, or switches of the level below) of each switch, in order.
///
/// The last entry also counts for all further switches. An entry of 0 means all remaining children.
struct NetworkLevel {
  std::string name;
  std::vector<std::int32_t> children = {0};
};

/// The input of make_machine().
///
/// Figures and distances name their level by any of Level::names. If merged levels have different figures,
/// the lowest level's count, because that is where two cores meet. Nodes of different shapes are aligned by
/// level names. A level that a shape lacks has one object for each object below it.
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
  std::vector<std::int32_t> node_order;     ///< nodes from left to right in the tree; empty: 0, 1, 2, ...
  std::vector<NetworkLevel> network;        ///< bottom-up; empty: one switch; ignored for one node
  std::vector<NamedFigures> figures;        ///< may be missing for some levels: see assume_figures
  std::vector<NamedDistance> distances;     ///< one for every level; empty: the number of the level
  std::optional<Torus> torus;               ///< requires one network level; ignored for one node
  bool assume_figures = true;               ///< whether levels without figures get assumed ones
};

/// A machine. Create it with make_machine() or make_tree_machine(); it never changes.
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

  /// All kinds of objects, bottom-up. Kinds of merged levels are included.
  [[nodiscard]] std::span<const ObjectKind> objects() const { return objects_; }

  /// Number of groups at `level` (0: cores), and the group of `core`, numbered over the whole machine.
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
  /// Distance of two cores: 0 for the same core, else the distance of their meeting level.
  [[nodiscard]] std::uint32_t distance(CoreIndex a, CoreIndex b) const noexcept {
    return distance_of_level_[meeting_level(a, b)];
  }

  [[nodiscard]] NodeIndex node_of(CoreIndex core) const { return NodeIndex{node_of_core_[raw(core)]}; }
  [[nodiscard]] CoreIndex first_core(NodeIndex node) const { return CoreIndex{first_core_[raw(node)]}; }
  [[nodiscard]] std::int32_t n_cores_on(NodeIndex node) const { return n_cores_on_[raw(node)]; }
  /// Converts between the number of a core on the machine and on its node.
  [[nodiscard]] std::int32_t core_on_node(CoreIndex core) const {
    return raw(core) - raw(first_core(node_of(core)));
  }
  [[nodiscard]] CoreIndex core_at(NodeIndex node, std::int32_t core_on_node) const {
    return CoreIndex{raw(first_core(node)) + core_on_node};
  }
  [[nodiscard]] std::span<const Pu> pus(CoreIndex core) const {
    return std::span(pus_).subspan(first_pu_[raw(core)], first_pu_[raw(core) + 1] - first_pu_[raw(core)]);
  }
  /// The node shapes that the machine was made of, and [node] -> index into them. Both are empty for machines
  /// without OS indices, because a bare tree of millions of cores is large, and for a part().
  [[nodiscard]] std::span<const NodeShape> shapes() const { return shapes_; }
  [[nodiscard]] std::span<const std::int32_t> shape_of_node() const { return shape_of_node_; }
  /// GPUs of a node, then its network cards, each by PCI bus id; empty if unknown.
  [[nodiscard]] std::span<const Device> devices(NodeIndex node) const {
    if (shapes_.empty()) return {};
    return shapes_[shape_of_node_[raw(node)]].devices;
  }
  /// Number of NUMA nodes of all operating systems (NodeShape::n_memory_nodes); 0: unknown.
  [[nodiscard]] std::int32_t n_memory_nodes() const { return n_memory_nodes_; }
  /// The torus that joins the nodes, if any. Estimates and simulations use it. For distances and objectives
  /// the nodes of a torus are joined by one network level.
  [[nodiscard]] const std::optional<Torus>& torus() const { return torus_; }
  /// False for bare trees.
  [[nodiscard]] bool has_os_indices() const { return has_os_indices_; }
  /// Whether every level has a bandwidth, measured or assumed. Bare trees have none: their links have
  /// bandwidth 0 and the source "none".
  [[nodiscard]] bool has_figures() const;

  /// Hash of the tree's shape, the OS indices and the order of the nodes (16 hexadecimal digits).
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }
  /// The fingerprint of one node, which the node can compute by itself.
  [[nodiscard]] std::string node_fingerprint(NodeIndex node) const;

  /// A machine of only these cores and their nodes, renumbered without a change of order. Levels, distances
  /// and links stay; no level is merged, even if its objects now have a single child. Devices are left out.
  /// @pre `cores` ascend, and there is at least one.
  [[nodiscard]] Machine part(std::span<const CoreIndex> cores) const;
  friend bool operator==(const Machine&, const Machine&) = default;

 private:
  friend class MachineBuilder;
  /// [node] -> its number in part(cores); -1 if none of the cores is on it.
  [[nodiscard]] std::vector<std::int32_t> node_numbers(std::span<const CoreIndex> cores) const;

  std::string name_;
  std::vector<Level> levels_;
  std::vector<ObjectKind> objects_;
  int node_level_ = 0;
  std::vector<std::int32_t> n_groups_;
  std::vector<std::vector<std::int32_t>> group_;
  std::vector<std::uint64_t> code_;  ///< [core] path from the root: one bit field per level, so that the
                                     ///< highest bit in which two codes differ gives their meeting level
  std::vector<std::uint8_t> level_of_bit_;
  std::vector<std::uint32_t> distance_of_level_;
  std::vector<std::int32_t> first_core_;  ///< [node]
  std::vector<std::int32_t> n_cores_on_;  ///< [node]
  std::vector<std::int32_t> node_of_core_;
  std::vector<std::int32_t> first_pu_;
  std::vector<Pu> pus_;
  std::vector<NodeShape> shapes_;
  std::vector<std::int32_t> shape_of_node_;
  std::int32_t n_memory_nodes_ = 0;
  std::optional<Torus> torus_;
  bool has_os_indices_ = false;
  std::string fingerprint_;
};

/// Builds and checks a machine.
/// @throws Error(bad_input) for an empty or inconsistent description, a figure or distance for an unknown
///   level, distances that lack a level or descend, or a tree whose paths need more than 64 bits.
[[nodiscard]] Machine make_machine(const MachineDescription& description);

/// A bare tree, as papers on process mapping use it: one node without OS indices and figures.
/// @param arities    [level - 1] number of children of an object, at least 1. A level of arity 1 is merged.
/// @param distances  [level - 1] distance of cores that meet at the level, not descending; empty: 1, 2, ...
/// @throws Error(bad_input) for arities or distances out of range, and for more than kMostCores cores.
[[nodiscard]] Machine make_tree_machine(std::span<const std::int32_t> arities,
                                        std::span<const std::uint32_t> distances);

}  // namespace corewise
