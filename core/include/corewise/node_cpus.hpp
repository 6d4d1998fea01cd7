/// NodeCpus: all hardware threads of a node, including those that processes may not use.
///
/// A NodeShape contains only what ranks can be placed on. NodeCpus serves to explain a wrong binding: which
/// hardware threads a cgroup excludes, which are offline, and whether all cores are of one kind.
#pragma once

#include <string>
#include <vector>

#include "corewise/index.hpp"

namespace corewise {

/// One kind of core of a node with several kinds, for example its performance cores.
struct CoreKind {
  std::string name;             ///< from the operating system: "IntelCore", "IntelAtom", "capacity 1024"
  std::vector<OsIndex> os_pus;  ///< ascending
};

/// PUs of one node by os_index.
struct NodeCpus {
  std::vector<std::vector<OsIndex>> cores;  ///< [core, logical]: its online PUs, in logical order
  std::vector<OsIndex> allowed;             ///< online PUs that the cgroup allows, ascending
  std::vector<OsIndex> offline;             ///< PUs that are switched off, ascending
  std::vector<CoreKind> core_kinds;         ///< slowest first; empty if all cores are of one kind
};

/// Reads this machine. The binding of this process has no effect.
/// @throws Error(missing) when hwloc can't load the topology.
[[nodiscard]] NodeCpus read_local_cpus();

/// Reads hwloc XML from `lstopo`. PUs that its cgroup excluded are there only with `lstopo --disallowed`.
/// @param xml   the text.
/// @param name  name of the file, for messages.
/// @throws Error(bad_input) naming the file.
[[nodiscard]] NodeCpus read_cpus_xml(const std::string& xml, const std::string& name);

}  // namespace corewise
