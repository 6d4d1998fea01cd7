/// Exports tables to other libraries by the Arrow C stream interface in a PyCapsule; needs no Arrow library.
///
/// Source: "The Arrow C data interface", "The Arrow C stream interface" and "The Arrow PyCapsule interface",
/// https://arrow.apache.org/docs/format/CDataInterface.html
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace corewise::bindings {

using ArrowBuffer = std::vector<std::byte>;

/// A column. A table is a column whose children are its columns.
struct ArrowColumn {
  std::string name;
  std::string format;  ///< Arrow's format string: "l" for int64, "+l" for lists
  std::int64_t length = 0;
  std::int64_t n_nulls = 0;
  std::vector<ArrowBuffer> buffers;  ///< the first is the validity bitmap; empty: all values are valid
  std::vector<ArrowColumn> children = {};
};

/// A column of numbers without missing values.
template <typename Value>
[[nodiscard]] ArrowColumn arrow_numbers(std::string name, std::string format,
                                        const std::vector<Value>& values) {
  ArrowBuffer buffer(values.size() * sizeof(Value));
  if (!values.empty()) std::memcpy(buffer.data(), values.data(), buffer.size());
  return {std::move(name),
          std::move(format),
          static_cast<std::int64_t>(values.size()),
          0,
          {{}, std::move(buffer)}};
}

/// A PyCapsule with a stream of one batch. It owns the columns.
/// @pre the columns have the same length.
[[nodiscard]] nanobind::capsule arrow_stream(std::vector<ArrowColumn> columns);

}  // namespace corewise::bindings
