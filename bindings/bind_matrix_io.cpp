/// Python bindings of the readers of communication matrices.
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "corewise/matrix_io.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

/// The readers use no Python objects, so they run without the GIL.
using Unlocked = nb::call_guard<nb::gil_scoped_release>;

}  // namespace

void bind_matrix_io(nb::module_& module) {
  module.def("read_matrix_market", &read_matrix_market, "path"_a, Unlocked(),
             "Reads a Matrix Market coordinate file: [row, column] = [src, dst], bytes. Raises InputError "
             "with file and line.");
  module.def("read_metis_graph", &read_metis_graph, "path"_a, Unlocked(),
             "Reads a METIS graph. Each edge is in the file twice and counts once, as bytes from the lower "
             "to the higher rank. Raises InputError with file and line.");
  module.def("read_openmpi_monitoring", &read_openmpi_monitoring, "paths"_a, "layer"_a = Layer::p2p,
             Unlocked(),
             "Reads the .prof files of Open MPI's monitoring component, one for each rank of a job. Raises "
             "InputError with file and line.");
  module.def("read_text_matrix", &read_text_matrix, "path"_a, Unlocked(),
             "Reads a square matrix in plain text: [src, dst], bytes. Raises InputError with file and line.");
}

}  // namespace corewise::bindings
