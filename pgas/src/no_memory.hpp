// The error message of a run that ends because memory ran out.
#pragma once

#include <string_view>

namespace corewise::pgas::detail {

inline constexpr std::string_view no_memory =
    "no memory is left on a node: use fewer or smaller arrays, maps and waiting tasks, or raise its limit "
    "(ulimit -v)";

}  // namespace corewise::pgas::detail
