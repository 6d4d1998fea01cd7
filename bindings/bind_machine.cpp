/// Python bindings of NodeShape, Machine, Level and ObjectKind, and the topology readers.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "bindings.hpp"
#include "columns.hpp"
#include "corewise/equal_subtrees.hpp"
#include "corewise/error.hpp"
#include "corewise/machine.hpp"
#include "corewise/topology.hpp"
#include "text.hpp"
#include "values.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

/// Number of children of a network level's switches: one number for all, or a list.
using Children = std::variant<std::int32_t, std::vector<std::int32_t>>;
using Int32Array = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

CoreIndex checked_core(const Machine& machine, std::int32_t core) {
  if (core < 0 || core >= machine.n_cores()) {
    throw Error(ErrorCode::bad_input, "core " + std::to_string(core) + " of a machine with " +
                                          std::to_string(machine.n_cores()) +
                                          " cores; expected one that is there");
  }
  return CoreIndex{core};
}

NodeIndex checked_node(const Machine& machine, std::int32_t node) {
  if (node < 0 || node >= machine.n_nodes()) {
    throw Error(ErrorCode::bad_input, "node " + std::to_string(node) + " of a machine with " +
                                          std::to_string(machine.n_nodes()) +
                                          " nodes; expected one that is there");
  }
  return NodeIndex{node};
}

int checked_level(const Machine& machine, int level) {
  if (level < 0 || level > machine.n_levels()) {
    throw Error(ErrorCode::bad_input, "level " + std::to_string(level) + " of a machine with levels 0 to " +
                                          std::to_string(machine.n_levels()) +
                                          "; expected one that is there");
  }
  return level;
}

CoreIndex core_at(const Machine& machine, std::int32_t node, std::int32_t core_on_node) {
  const NodeIndex checked = checked_node(machine, node);
  if (core_on_node < 0 || core_on_node >= machine.n_cores_on(checked)) {
    throw Error(ErrorCode::bad_input,
                "core " + std::to_string(core_on_node) + " of node " + std::to_string(node) + ", which has " +
                    std::to_string(machine.n_cores_on(checked)) + " cores; expected one that is there");
  }
  return machine.core_at(checked, core_on_node);
}

/// An array [core] with the values of `value(core)`.
template <typename Value>
Int32Array per_core(const Machine& machine, Value value) {
  const std::size_t n = machine.n_cores();
  auto kept = std::make_unique<std::int32_t[]>(n);
  for (std::size_t core = 0; core < n; ++core) kept[core] = value(CoreIndex{static_cast<std::int32_t>(core)});
  std::int32_t* data = kept.get();
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
  return Int32Array(data, {n}, owner);
}

std::vector<std::pair<std::int32_t, std::optional<std::int32_t>>> pus(const Machine& machine,
                                                                      std::int32_t core) {
  std::vector<std::pair<std::int32_t, std::optional<std::int32_t>>> pairs;
  for (const Pu& pu : machine.pus(checked_core(machine, core))) {
    pairs.emplace_back(raw(pu.logical), pu.os ? std::optional(raw(*pu.os)) : std::nullopt);
  }
  return pairs;
}

std::vector<std::int32_t> os_pus(const Machine& machine, std::int32_t core) {
  std::vector<std::int32_t> os;
  for (const Pu& pu : machine.pus(checked_core(machine, core))) {
    if (pu.os) os.push_back(raw(*pu.os));
  }
  return os;
}

/// Creates a NodeShape. Logical PU indices are counted core by core.
NodeShape shape_of(std::vector<std::string> level_names, std::vector<std::vector<std::int32_t>> group,
                   const std::vector<std::vector<std::int32_t>>& os_pus, std::vector<Device> devices,
                   std::vector<std::int32_t> n_objects, std::int32_t n_memory_nodes) {
  NodeShape shape{std::move(level_names), std::move(group),     {},
                  std::move(devices),     std::move(n_objects), n_memory_nodes};
  std::int32_t logical = 0;
  for (const std::vector<std::int32_t>& of_core : os_pus) {
    std::vector<Pu>& pus = shape.pus.emplace_back();
    for (const std::int32_t os : of_core) pus.push_back({PuIndex{logical++}, OsIndex{os}});
  }
  return shape;
}

std::vector<std::vector<std::int32_t>> os_pus_of_shape(const NodeShape& shape) {
  std::vector<std::vector<std::int32_t>> os;
  for (const std::vector<Pu>& pus : shape.pus) {
    std::vector<std::int32_t>& of_core = os.emplace_back();
    for (const Pu& pu : pus) {
      if (pu.os) of_core.push_back(raw(*pu.os));
    }
  }
  return os;
}

auto classes_of_subtrees(const Column<std::int32_t>& parent, const Column<std::int64_t>& mark,
                         bool in_order) {
  return to_numpy(equal_subtrees({parent.data(), parent.size()}, {mark.data(), mark.size()},
                                 in_order ? ChildOrder::kept : ChildOrder::any));
}

Machine machine_of(std::string name, std::vector<NodeShape> shapes, std::vector<std::int32_t> shape_of_node,
                   const std::vector<std::pair<std::string, Children>>& network,
                   const std::vector<std::pair<std::string, LinkFigures>>& figures,
                   const std::vector<std::pair<std::string, std::uint32_t>>& distances,
                   std::vector<std::int32_t> node_order, std::optional<Torus> torus) {
  MachineDescription description;
  description.name = std::move(name);
  description.shapes = std::move(shapes);
  description.shape_of_node = std::move(shape_of_node);
  description.node_order = std::move(node_order);
  for (const auto& [level, children] : network) {
    const auto* all_alike = std::get_if<std::int32_t>(&children);
    description.network.push_back(
        {level, all_alike ? std::vector{*all_alike} : std::get<std::vector<std::int32_t>>(children)});
  }
  for (const auto& [level, named] : figures) description.figures.push_back({level, named});
  for (const auto& [level, distance] : distances) description.distances.push_back({level, distance});
  description.torus = std::move(torus);
  return make_machine(description);
}

void bind_parts(nb::module_& module) {
  nb::class_<Level>(module, "Level", "One level of the tree above the cores.")
      .def_ro("name", &Level::name)
      .def_ro("names", &Level::names, "Bottom-up: names of all levels that were merged into this one.")
      .def_ro("distance", &Level::distance,
              "Distance of two cores whose lowest common ancestor is at this level.")
      .def_prop_ro(
          "latency_s", [](const Level& level) { return level.link.latency_s; }, "See LinkFigures.")
      .def_prop_ro(
          "bandwidth_bytes_per_s", [](const Level& level) { return level.link.bandwidth_bytes_per_s; },
          "See LinkFigures.")
      .def_prop_ro(
          "source", [](const Level& level) { return level.link.source; }, "See LinkFigures.")
      .def_prop_ro(
          "assumed", [](const Level& level) { return level.link.assumed(); }, "See LinkFigures.")
      .def_ro("link", &Level::link, "Figures of the links that join the level below to this one.");

  nb::class_<ObjectKind>(module, "ObjectKind", "The number of objects of one kind, for example of L3 caches.")
      .def_ro("name", &ObjectKind::name)
      .def_ro("level", &ObjectKind::level,
              "The level that contains the objects, possibly merged; 0: each has a single core.")
      .def_ro("count", &ObjectKind::count, "Number on the whole machine.");

  nb::class_<NodeShape>(module, "NodeShape", "The tree of one node.")
      .def(nb::new_(&shape_of), "level_names"_a, "group"_a, "os_pus"_a, "devices"_a = std::vector<Device>(),
           "n_objects"_a = std::vector<std::int32_t>(), "n_memory_nodes"_a = 0,
           "Optional are `devices`, `n_objects` ([]: all groups are objects) and `n_memory_nodes`.")
      .def_ro("level_names", &NodeShape::level_names, "Bottom-up from above the core; the node is last.")
      .def_ro("group", &NodeShape::group, "[level - 1][core] -> group of that level on the node.")
      .def_prop_ro("os_pus", &os_pus_of_shape, "[core] -> OS indices of its PUs in logical order.")
      .def_prop_ro("n_cores", &NodeShape::n_cores)
      .def_ro("devices", &NodeShape::devices, "GPUs, then network cards, each by PCI bus id.")
      .def_ro("n_objects", &NodeShape::n_objects,
              "[level - 1] number of objects of that kind; [] if each group is one.")
      .def_ro("n_memory_nodes", &NodeShape::n_memory_nodes,
              "Number of NUMA nodes of the operating system; 0: unknown.")
      .def("cut_to_first_cores", &cut_to_first_cores, "n_cores"_a,
           "The node with only its first cores in logical order.");
}

/// Its name, its size, and what is known of it.
void bind_size(nb::class_<Machine>& bound) {
  bound
      .def("__repr__",
           [](const Machine& machine) {
             return concat("<corewise.Machine '", machine.name(), "': ", machine.n_nodes(),
                           machine.n_nodes() == 1 ? " node, " : " nodes, ", machine.n_cores(), " cores, ",
                           machine.n_pus(), " hardware threads>");
           })
      .def_prop_ro("name", &Machine::name)
      .def_prop_ro("n_nodes", &Machine::n_nodes)
      .def_prop_ro("n_cores", &Machine::n_cores)
      .def_prop_ro("n_pus", &Machine::n_pus, "Number of hardware threads.")
      .def_prop_ro("n_levels", &Machine::n_levels, "Number of levels above the core.")
      .def_prop_ro("node_level", &Machine::node_level,
                   "Level whose objects are nodes; 0 when nodes have a single core.")
      .def_prop_ro("has_os_indices", &Machine::has_os_indices, "False for bare trees.")
      .def_prop_ro("has_figures", &Machine::has_figures,
                   "Whether every level has a bandwidth; False for bare trees.")
      .def_prop_ro("fingerprint", &Machine::fingerprint,
                   "Hash of the tree's shape, the OS indices and the order of the nodes: 16 hexadecimal "
                   "digits.")
      .def(
          "node_fingerprint",
          [](const Machine& machine, std::int32_t node) {
            return machine.node_fingerprint(checked_node(machine, node));
          },
          "node"_a, "The fingerprint of one node.");
}

/// The parts that it was made of.
void bind_tree(nb::class_<Machine>& bound) {
  bound
      .def_prop_ro(
          "levels",
          [](const Machine& machine) {
            return std::vector<Level>(machine.levels().begin(), machine.levels().end());
          },
          "Levels above the core, bottom-up.")
      .def_prop_ro(
          "objects",
          [](const Machine& machine) {
            return std::vector<ObjectKind>(machine.objects().begin(), machine.objects().end());
          },
          "All kinds of objects, bottom-up. Kinds of merged levels are included.")
      .def_prop_ro(
          "shapes",
          [](const Machine& machine) {
            return std::vector<NodeShape>(machine.shapes().begin(), machine.shapes().end());
          },
          "The node shapes that the machine was made of; [] for bare trees.")
      .def_prop_ro(
          "shape_of_node",
          [](const Machine& machine) {
            return std::vector<std::int32_t>(machine.shape_of_node().begin(), machine.shape_of_node().end());
          },
          "[node] -> index into shapes.")
      .def_prop_ro(
          "torus", [](const Machine& machine) { return machine.torus(); },
          "The torus that joins the nodes; None if switches do.");
}

/// Levels: groups of cores and distances.
void bind_groups(nb::class_<Machine>& bound) {
  bound
      .def(
          "n_groups",
          [](const Machine& machine, int level) { return machine.n_groups(checked_level(machine, level)); },
          "level"_a, "Number of groups at `level` (0: cores).")
      .def(
          "group",
          [](const Machine& machine, int level, std::int32_t core) {
            return machine.group(checked_level(machine, level), checked_core(machine, core));
          },
          "level"_a, "core"_a, "The group of `core` at `level`, numbered over the whole machine.")
      .def(
          "group_of_core",
          [](const Machine& machine, int level) {
            checked_level(machine, level);
            return per_core(machine, [&](CoreIndex core) { return machine.group(level, core); });
          },
          "level"_a, "int32 array [core]: the group of each core at `level`.")
      .def(
          "meeting_level",
          [](const Machine& machine, std::int32_t a, std::int32_t b) {
            return machine.meeting_level(checked_core(machine, a), checked_core(machine, b));
          },
          "a"_a, "b"_a, "Level of the lowest common ancestor of two cores; 0 for the same core.")
      .def(
          "distance",
          [](const Machine& machine, std::int32_t a, std::int32_t b) {
            return machine.distance(checked_core(machine, a), checked_core(machine, b));
          },
          "a"_a, "b"_a, "Distance of two cores: the distance of their meeting level; 0 for the same core.");
}

/// Cores of nodes.
void bind_nodes(nb::class_<Machine>& bound) {
  bound
      .def(
          "node_of",
          [](const Machine& machine, std::int32_t core) {
            return raw(machine.node_of(checked_core(machine, core)));
          },
          "core"_a)
      .def_prop_ro(
          "node_of_core",
          [](const Machine& machine) {
            return per_core(machine, [&](CoreIndex core) { return raw(machine.node_of(core)); });
          },
          nb::rv_policy::move, "int32 array [core]: the node of each core.")
      .def(
          "first_core",
          [](const Machine& machine, std::int32_t node) {
            return raw(machine.first_core(checked_node(machine, node)));
          },
          "node"_a)
      .def(
          "n_cores_on",
          [](const Machine& machine, std::int32_t node) {
            return machine.n_cores_on(checked_node(machine, node));
          },
          "node"_a)
      .def(
          "cores_on",
          [](const Machine& machine, std::int32_t node) {
            const NodeIndex checked = checked_node(machine, node);
            const std::int32_t first = raw(machine.first_core(checked));
            return nb::builtins()["range"](first, first + machine.n_cores_on(checked));
          },
          nb::sig("def cores_on(self, node: int) -> range"), "node"_a,
          "The cores of a node in logical order.")
      .def(
          "core_on_node",
          [](const Machine& machine, std::int32_t core) {
            return machine.core_on_node(checked_core(machine, core));
          },
          "core"_a, "Number of the core on its node.")
      .def(
          "core_at",
          [](const Machine& machine, std::int32_t node, std::int32_t core_on_node) {
            return raw(core_at(machine, node, core_on_node));
          },
          "node"_a, "core_on_node"_a, "The number on the machine of core `core_on_node` of `node`.");
}

/// Devices and hardware threads.
void bind_pus(nb::class_<Machine>& bound) {
  bound
      .def(
          "devices",
          [](const Machine& machine, std::int32_t node) {
            const auto devices = machine.devices(checked_node(machine, node));
            return std::vector<Device>(devices.begin(), devices.end());
          },
          "node"_a, "GPUs of the node, then its network cards, each by PCI bus id; [] if unknown.")
      .def_prop_ro(
          "n_memory_nodes", &Machine::n_memory_nodes,
          "Number of NUMA nodes of all operating systems; 0: unknown. It can exceed the number of 'numa' "
          "objects, because a domain with two kinds of memory has two NUMA nodes.")
      .def("pus", &pus, "core"_a,
           "(logical index on the node, os_index or None) of each of the core's hardware threads, in logical "
           "order.")
      .def_prop_ro(
          "n_pus_of_core",
          [](const Machine& machine) {
            return per_core(
                machine, [&](CoreIndex core) { return static_cast<std::int32_t>(machine.pus(core).size()); });
          },
          nb::rv_policy::move, "int32 array [core]: number of hardware threads.")
      .def("os_pus", &os_pus, "core"_a,
           "OS indices of the core's hardware threads, in logical order; [] on bare trees.");
}

void bind_readers(nb::module_& module) {
  module.def(
      "equal_subtrees", &classes_of_subtrees, "parent"_a, "mark"_a, "in_order"_a = false,
      "Divides the vertices of a tree into classes, int32 [vertex]: two vertices are in the same class if "
      "they have the same mark and their children have the same classes (`in_order`: in the same order). "
      "`parent` int32 [vertex]: a number greater than the vertex's own, or -1. `mark` int64 [vertex]: a "
      "vertex with a negative mark is ignored and has class -1. Raises InputError for another parent.");
  module.def("read_local_topology", &read_local_topology,
             "Reads this machine, without the cores that this process may not use.");
  module.def("read_topology_xml", &read_topology_xml, "xml"_a, "name"_a,
             "Reads the text of hwloc XML from lstopo. `name` is the name of the file, for messages.");
  module.def("read_topology_synthetic", &read_topology_synthetic, "description"_a,
             "Reads a description in hwloc's synthetic syntax, such as 'pack:2 l2:2 core:2 pu:1'.");
  module.def(
      "make_machine", &machine_of, "name"_a, "shapes"_a, "shape_of_node"_a, "network"_a, "figures"_a,
      "distances"_a, "node_order"_a = std::vector<std::int32_t>(), "torus"_a = nb::none(),
      "Creates a machine from node shapes. network: (name, children per switch) of each level, bottom-up; "
      "the children are one number (0: all), or a list with one number per switch. figures and distances: "
      "(level name, value). node_order: nodes from left to right in the tree; [] for 0, 1, 2, ...");
  module.def(
      "make_tree_machine",
      [](const std::vector<std::int32_t>& arities, const std::vector<std::uint32_t>& distances) {
        return make_tree_machine(arities, distances);
      },
      "arities"_a, "distances"_a, "Creates a bare tree, lowest level first. distances: [] for 1, 2, 3, ...");
}

}  // namespace

void bind_machine(nb::module_& module) {
  bind_parts(module);
  module.attr("MOST_CORES") = kMostCores;
  nb::class_<Machine> bound(
      module, "Machine",
      "Nodes, their trees of cores, the network, and the performance of each level's links. Cores and nodes "
      "are numbered from 0 over the whole machine. Level 0 is the core; levels[k - 1] is level k.");
  bind_value(bound, [](const Machine& machine) { return std::hash<std::string>{}(machine.fingerprint()); });
  bind_size(bound);
  bind_tree(bound);
  bind_groups(bound);
  bind_nodes(bound);
  bind_pus(bound);
  bind_readers(module);
}

}  // namespace corewise::bindings
