// What must hold before a run starts: options in range, the same program and options on every node.
#pragma once

#include "transport.hpp"

namespace corewise::pgas::detail {

/// Checks the options, and compares them and the table of message handlers with all nodes; collective.
/// @return the options.
/// @throws Error where an option is out of range, or a node runs another program or has other options.
[[nodiscard]] const Options& checked_options(const Options& options, Transport& transport);

}  // namespace corewise::pgas::detail
