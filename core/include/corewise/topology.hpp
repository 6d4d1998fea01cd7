/// Topology readers on hwloc. Each returns a NodeShape.
#pragma once

#include <string>

#include "corewise/machine.hpp"

namespace corewise {

/// Reads this machine, without the cores that this process may not use.
/// @throws Error(missing) when hwloc can't load the topology.
[[nodiscard]] NodeShape read_local_topology();

/// Reads hwloc XML from `lstopo`. OS indices are those of the recorded machine.
/// @param xml   the text.
/// @param name  name of the file, for messages.
/// @throws Error(bad_input) naming the file.
[[nodiscard]] NodeShape read_topology_xml(const std::string& xml, const std::string& name);

/// Reads a synthetic description in hwloc's syntax, for example "pack:2 l2:2 core:2 pu:1".
/// @throws Error(bad_input) quoting the string.
[[nodiscard]] NodeShape read_topology_synthetic(const std::string& description);

}  // namespace corewise
