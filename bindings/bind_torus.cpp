/// Python bindings of Torus and points_in_boxes().
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "corewise/error.hpp"
#include "corewise/torus.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

std::vector<std::tuple<std::int32_t, std::int32_t, bool>> route(const Torus& torus, std::int32_t from,
                                                                std::int32_t to) {
  if (std::min(from, to) < 0 || std::max(from, to) >= torus.n_points()) {
    throw Error(ErrorCode::bad_input, "points " + std::to_string(from) + " and " + std::to_string(to) +
                                          " of a torus with " + std::to_string(torus.n_points()) +
                                          "; expected two that are there");
  }
  std::vector<std::int32_t> links;
  torus.route(from, to, links);
  std::vector<std::tuple<std::int32_t, std::int32_t, bool>> found;
  for (const std::int32_t number : links) {
    const TorusLink link = torus.link(number);
    found.emplace_back(link.point, link.axis, link.backwards);
  }
  return found;
}

}  // namespace

void bind_torus(nb::module_& module) {
  nb::class_<Torus>(module, "Torus",
                    "A network of nodes at the points of a grid, with links between neighbouring points. "
                    "Each axis is a ring. In the numbering of points, the coordinate of the first axis "
                    "changes fastest.")
      .def(
          "__init__",
          [](Torus* self, std::vector<std::int32_t> sizes, std::vector<std::int32_t> point_of_node,
             double bandwidth_bytes_per_s, double hop_latency_s, std::string source) {
            new (self) Torus{std::move(sizes), std::move(point_of_node), bandwidth_bytes_per_s, hop_latency_s,
                             std::move(source)};
          },
          "sizes"_a, "point_of_node"_a, "bandwidth_bytes_per_s"_a, "hop_latency_s"_a, "source"_a,
          "The values are checked by make_machine().")
      .def_ro("sizes", &Torus::sizes, "Points along each axis.")
      .def_ro("point_of_node", &Torus::point_of_node,
              "[node] its point. Points without a node forward messages.")
      .def_ro("bandwidth_bytes_per_s", &Torus::bandwidth_bytes_per_s,
              "Bandwidth of a link between neighbouring points, per direction.")
      .def_ro("hop_latency_s", &Torus::hop_latency_s, "Added for each link that a message crosses.")
      .def_ro("source", &Torus::source, "Source of the figures, as LinkFigures.source.")
      .def("route", &route, "source"_a, "target"_a,
           "(point at its start, axis, backwards) of each link on the dimension-order route.");
  module.def(
      "points_in_boxes",
      [](const std::vector<std::int32_t>& sizes, const std::vector<std::int32_t>& box, std::int32_t n_nodes) {
        return points_in_boxes(sizes, box, n_nodes);
      },
      "sizes"_a, "box"_a, "n_nodes"_a,
      "[node] -> its point, for nodes that fill the torus box by box. In each box, and in the order of the "
      "boxes, the coordinate of the first axis changes fastest. box: points along each axis; [] for one "
      "box.");
}

}  // namespace corewise::bindings
