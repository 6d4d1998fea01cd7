// Checks before a run starts: options are in range, and all nodes run the same program with the same options.
#pragma once

#include "transport.hpp"

namespace corewise::pgas::detail {

/// Checks the options, and compares them and the table of message handlers on all nodes. Collective.
/// @return the options.
/// @throws Error if an option is out of range, or if a node runs another program or has other options.
[[nodiscard]] const Options& checked_options(const Options& options, Transport& transport);

}  // namespace corewise::pgas::detail
