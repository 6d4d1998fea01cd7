/// Exports a matrix to NumPy, SciPy, networkx and, by Arrow, to data frames.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>
#include <vector>

#include "arrow.hpp"
#include "columns.hpp"
#include "corewise/error.hpp"
#include "corewise/traffic.hpp"

namespace corewise::bindings {

struct MatrixColumns {
  std::vector<std::int32_t> src;
  std::vector<std::int32_t> dst;
  std::vector<std::uint64_t> bytes;
  std::vector<std::uint64_t> messages;

  /// The column "bytes" or "messages". @throws Error(bad_input) for another name.
  [[nodiscard]] const std::vector<std::uint64_t>& amount(const std::string& name) const {
    if (name == "bytes") return bytes;
    if (name == "messages") return messages;
    throw Error(ErrorCode::bad_input, "amount is '" + name + "'; expected 'bytes' or 'messages'");
  }
};

/// The entries, sorted by src, then dst.
[[nodiscard]] inline MatrixColumns columns_of(const CommMatrix& matrix) {
  MatrixColumns columns;
  for (std::int32_t rank = 0; rank < matrix.n_ranks(); ++rank) {
    for (const PairTraffic& entry : matrix.row(Rank{rank})) {
      columns.src.push_back(rank);
      columns.dst.push_back(raw(entry.peer));
      columns.bytes.push_back(entry.bytes);
      columns.messages.push_back(entry.messages);
    }
  }
  return columns;
}

using NumpySquare = nanobind::ndarray<nanobind::numpy, std::uint64_t, nanobind::ndim<2>>;
using Anything = nanobind::typed<nanobind::object, nanobind::any>;

inline NumpySquare to_dense(const CommMatrix& matrix, const std::string& amount) {
  const nanobind::module_ numpy = nanobind::module_::import_("numpy");
  const MatrixColumns columns = columns_of(matrix);
  const auto shape = nanobind::make_tuple(matrix.n_ranks(), matrix.n_ranks());
  nanobind::object dense = numpy.attr("zeros")(shape, numpy.attr("uint64"));
  dense[nanobind::make_tuple(to_numpy(columns.src), to_numpy(columns.dst))] =
      to_numpy(columns.amount(amount));
  return nanobind::cast<NumpySquare>(dense);
}

inline Anything to_sparse(const CommMatrix& matrix, const std::string& amount) {
  const nanobind::module_ sparse = nanobind::module_::import_("scipy.sparse");
  const MatrixColumns columns = columns_of(matrix);
  const auto entries = nanobind::make_tuple(
      to_numpy(columns.amount(amount)), nanobind::make_tuple(to_numpy(columns.src), to_numpy(columns.dst)));
  const auto shape = nanobind::make_tuple(matrix.n_ranks(), matrix.n_ranks());
  return Anything(sparse.attr("csr_array")(entries, nanobind::arg("shape") = shape));
}

inline Anything to_graph(const CommMatrix& matrix) {
  nanobind::object graph = nanobind::module_::import_("networkx").attr("DiGraph")();
  const MatrixColumns columns = columns_of(matrix);
  for (std::int32_t rank = 0; rank < matrix.n_ranks(); ++rank) graph.attr("add_node")(rank);
  for (std::size_t i = 0; i < columns.src.size(); ++i) {
    graph.attr("add_edge")(columns.src[i], columns.dst[i], nanobind::arg("bytes") = columns.bytes[i],
                           nanobind::arg("messages") = columns.messages[i]);
  }
  return Anything(graph);
}

inline nanobind::capsule to_arrow(const CommMatrix& matrix) {
  const MatrixColumns columns = columns_of(matrix);
  return arrow_stream({arrow_numbers("src", "i", columns.src), arrow_numbers("dst", "i", columns.dst),
                       arrow_numbers("bytes", "L", columns.bytes),
                       arrow_numbers("messages", "L", columns.messages)});
}

/// Adds the exports of a matrix to a class. `matrix_of` returns the matrix of an object.
template <class Noun, class MatrixOf>
void bind_exports(nanobind::class_<Noun>& bound, MatrixOf matrix_of) {
  using nanobind::arg;
  bound
      .def(
          "to_numpy",
          [=](const Noun& self, const std::string& amount) { return to_dense(matrix_of(self), amount); },
          arg("amount") = "bytes",
          "A square array [src, dst] of \"bytes\" or \"messages\". corewise.read() accepts it.")
      .def(
          "to_scipy",
          [=](const Noun& self, const std::string& amount) { return to_sparse(matrix_of(self), amount); },
          arg("amount") = "bytes",
          "A SciPy csr_array [src, dst] of \"bytes\" or \"messages\". corewise.read() accepts it.")
      .def(
          "to_networkx", [=](const Noun& self) { return to_graph(matrix_of(self)); },
          "A networkx DiGraph with a node for each rank. Edges have the attributes bytes and messages.")
      .def(
          "__arrow_c_stream__",
          [=](const Noun& self, nanobind::handle /*requested_schema*/) { return to_arrow(matrix_of(self)); },
          arg("requested_schema") = nanobind::none(),
          "The columns src, dst (int32), bytes and messages (uint64), for pandas, polars, pyarrow and other "
          "libraries, for example polars.DataFrame(traffic).");
}

}  // namespace corewise::bindings
