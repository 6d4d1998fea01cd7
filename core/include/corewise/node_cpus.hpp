/// NodeCpus: all hardware threads of a node, also those that processes may not use.
///
/// A NodeShape holds what ranks can be placed on. This is for finding out why a binding goes wrong: which
/// hardware threads a cgroup leaves out, which are offline, and whether all cores are of one kind.
#pragma once

#include <string>
#include <vector>

#include "corewise/index.hpp"

namespace corewise {

/// Cores of one kind, where a node has several (performance and efficiency cores).
struct CoreKind {
  std::string name;             ///< as the system tells it: "IntelCore", "IntelAtom", "capacity 1024"
  std::vector<OsIndex> os_pus;  ///< ascending
};

/// PUs of one node by os_index.
struct NodeCpus {
  std::vector<std::vector<OsIndex>> cores;  ///< [core, logical]: its PUs that are online, in logical order
  std::vector<OsIndex> allowed;             ///< those of them that the cgroup lets a process use, ascending
  std::vector<OsIndex> offline;             ///< PUs that are there and switched off, ascending
  std::vector<CoreKind> core_kinds;         ///< slowest first; empty if all cores are of one kind
};

/// This machine, whatever this process is bound to.
/// @throws Error(missing) when hwloc can't load the topology.
[[nodiscard]] NodeCpus read_local_cpus();

/// The text of hwloc XML, exported by `lstopo`: with `--disallowed` also what the recorded process's cgroup
/// left out.
/// @param name  of the file, for messages.
/// @throws Error(bad_input) naming the file.
[[nodiscard]] NodeCpus read_cpus_xml(const std::string& xml, const std::string& name);

}  // namespace corewise
