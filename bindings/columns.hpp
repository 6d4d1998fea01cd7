/// Converts between vectors and one-dimensional NumPy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace corewise::bindings {

template <typename Value>
using Column = nanobind::ndarray<const Value, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename Value>
using NumpyColumn = nanobind::ndarray<nanobind::numpy, Value, nanobind::ndim<1>>;

/// Moves the values into a NumPy array.
template <typename Value>
NumpyColumn<Value> to_numpy(std::vector<Value> values) {
  auto kept = std::make_unique<std::vector<Value>>(std::move(values));
  Value* data = kept->data();
  const std::size_t n = kept->size();
  nanobind::capsule owner(kept.release(),
                          [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
  return NumpyColumn<Value>(data, {n}, owner);
}

/// Converts indices, which are distinct types in the core, to int32.
template <typename Index>
NumpyColumn<std::int32_t> to_numpy_indices(std::span<const Index> indices) {
  std::vector<std::int32_t> plain;
  plain.reserve(indices.size());
  for (const Index index : indices) plain.push_back(static_cast<std::int32_t>(index));
  return to_numpy(std::move(plain));
}

template <typename Index>
std::vector<Index> from_plain(const std::vector<std::int32_t>& plain) {
  std::vector<Index> indices;
  indices.reserve(plain.size());
  for (const std::int32_t value : plain) indices.push_back(Index{value});
  return indices;
}

}  // namespace corewise::bindings
