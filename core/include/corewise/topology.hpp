/// Topology readers: hwloc's view of this machine, of an XML file, of a synthetic string, as a NodeShape.
#pragma once

#include <string>

#include "corewise/machine.hpp"

namespace corewise {

/// This machine as this process may use it: cores outside its cpuset are left out.
/// @throws Error(missing) when hwloc can't load the topology.
[[nodiscard]] NodeShape read_local_topology();

/// The text of hwloc XML, exported by `lstopo`. OS indices are the recorded machine's.
/// @param name  of the file, for messages.
/// @throws Error(bad_input) naming the file.
[[nodiscard]] NodeShape read_topology_xml(const std::string& xml, const std::string& name);

/// hwloc's synthetic syntax, such as "pack:2 l2:2 core:2 pu:1".
/// @throws Error(bad_input) quoting the string.
[[nodiscard]] NodeShape read_topology_synthetic(const std::string& description);

}  // namespace corewise
