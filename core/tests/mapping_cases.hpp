/// Small machines and traffic patterns that the tests of objectives, solvers and advice share.
#pragma once

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "corewise/machine.hpp"
#include "corewise/placement.hpp"
#include "corewise/traffic.hpp"

namespace corewise::testing {

/// One message of `bytes` from src to dst.
struct Message {
  std::int32_t src;
  std::int32_t dst;
  std::uint64_t bytes;
};

inline CommMatrix matrix_of(std::int32_t n_ranks, const std::vector<Message>& messages) {
  std::vector<MatrixEntry> entries;
  for (const Message& m : messages) entries.push_back({Rank{m.src}, Rank{m.dst}, m.bytes, 1});
  return CommMatrix::from_entries(n_ranks, std::move(entries));
}

inline Traffic traffic_of(std::int32_t n_ranks, const std::vector<Message>& messages) {
  return Traffic::of(matrix_of(n_ranks, messages));
}

/// 0 -> 1 -> ... -> n-1 -> 0, `bytes` each.
inline Traffic ring(std::int32_t n_ranks, std::uint64_t bytes = 1) {
  std::vector<Message> messages;
  for (std::int32_t rank = 0; rank < n_ranks; ++rank) messages.push_back({rank, (rank + 1) % n_ranks, bytes});
  return traffic_of(n_ranks, messages);
}

/// Step k: i and i xor 2^k exchange 2^k units; n must be a power of two.
inline Traffic recursive_doubling(std::int32_t n_ranks) {
  std::vector<Message> messages;
  for (std::int32_t mask = 1; mask < n_ranks; mask *= 2) {
    for (std::int32_t rank = 0; rank < n_ranks; ++rank) {
      messages.push_back({rank, rank ^ mask, static_cast<std::uint64_t>(mask)});
    }
  }
  return traffic_of(n_ranks, messages);
}

/// Step k: i sends one unit to i + 2^k, for i < 2^k (the SMP-CMP paper's order); n must be a power of two.
inline Traffic binomial(std::int32_t n_ranks) {
  std::vector<Message> messages;
  for (std::int32_t mask = 1; mask < n_ranks; mask *= 2) {
    for (std::int32_t rank = 0; rank < mask; ++rank) messages.push_back({rank, rank + mask, 1});
  }
  return traffic_of(n_ranks, messages);
}

inline Placement placed(const std::vector<std::int32_t>& cores) {
  std::vector<CoreIndex> core_of_rank;
  for (const std::int32_t core : cores) core_of_rank.push_back(CoreIndex{core});
  return Placement(std::move(core_of_rank));
}

inline std::vector<std::int32_t> cores_of(const Placement& placement) {
  std::vector<std::int32_t> cores;
  for (const CoreIndex core : placement.core_of_rank()) cores.push_back(raw(core));
  return cores;
}

/// A node whose package i has `sizes[i]` cores with one PU each.
inline NodeShape two_level_node(const std::vector<std::int32_t>& sizes) {
  NodeShape shape;
  shape.level_names = {"package", "node"};
  shape.group.resize(2);
  for (std::size_t package = 0; package < sizes.size(); ++package) {
    for (std::int32_t core = 0; core < sizes[package]; ++core) {
      const std::int32_t number = shape.n_cores();
      shape.group[0].push_back(static_cast<std::int32_t>(package));
      shape.group[1].push_back(0);
      shape.pus.push_back({{PuIndex{number}, OsIndex{number}}});
    }
  }
  return shape;
}

/// A node of Draco in the SMP-CMP paper: two packages with two shared caches each, two cores per cache.
inline NodeShape draco_node() {
  NodeShape shape = two_level_node({4, 4});
  shape.level_names.insert(shape.level_names.begin(), "l2");
  shape.group.insert(shape.group.begin(), {0, 0, 1, 1, 2, 2, 3, 3});
  return shape;
}

/// One node of each shape on a flat network. Links of class k have 1000/k bytes/s and a latency of k s.
inline Machine machine_of(std::vector<NodeShape> shapes) {
  MachineDescription description;
  description.name = "test";
  for (const std::string& level : shapes.front().level_names) {
    const double k = static_cast<double>(description.figures.size()) + 1;
    description.figures.push_back({level, {k, 1000 / k, "test"}});
  }
  const double k = static_cast<double>(description.figures.size()) + 1;
  description.figures.push_back({"network", {k, 1000 / k, "test"}});
  if (shapes.size() == 1) description.figures.pop_back();
  for (std::size_t node = 0; node < shapes.size(); ++node) {
    description.shape_of_node.push_back(static_cast<std::int32_t>(node));
  }
  description.shapes = std::move(shapes);
  if (description.shapes.size() > 1) description.network.push_back({"network", {0}});
  return make_machine(description);
}

using NamedFigures = MachineDescription::NamedFigures;

/// Equal nodes on a flat network.
/// @param figures  of the levels of the node, then those of the network.
inline Machine machine_with(std::vector<NamedFigures> figures, std::size_t n_nodes,
                            const NodeShape& node = two_level_node({2, 2})) {
  MachineDescription description;
  description.name = "test";
  description.figures = std::move(figures);
  description.shapes = {node};
  description.shape_of_node.assign(n_nodes, 0);
  if (n_nodes > 1) description.network = {{"network", {0}}};
  return make_machine(description);
}

inline Machine draco(std::size_t n_nodes) {
  return machine_of(std::vector<NodeShape>(n_nodes, draco_node()));
}

}  // namespace corewise::testing
