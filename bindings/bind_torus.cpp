/// Torus: sizes, points and figures of a direct network.
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

/// (point where it begins, axis, backwards) of each link from one point to another, in order.
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
                    "Nodes at the points of a grid whose axes close; the first axis of points runs fastest.")
      .def(
          "__init__",
          [](Torus* self, std::vector<std::int32_t> sizes, std::vector<std::int32_t> point_of_node,
             double bandwidth_bytes_per_s, double hop_latency_s, std::string source) {
            new (self) Torus{std::move(sizes), std::move(point_of_node), bandwidth_bytes_per_s, hop_latency_s,
                             std::move(source)};
          },
          "sizes"_a, "point_of_node"_a, "bandwidth_bytes_per_s"_a, "hop_latency_s"_a, "source"_a,
          "Checked where a machine is made with it.")
      .def_ro("sizes", &Torus::sizes, "Points along each axis.")
      .def_ro("point_of_node", &Torus::point_of_node, "[node]; points without a node pass messages on.")
      .def_ro("bandwidth_bytes_per_s", &Torus::bandwidth_bytes_per_s,
              "Of a link between neighbouring points, in each direction.")
      .def_ro("hop_latency_s", &Torus::hop_latency_s, "Added for each link that a message crosses.")
      .def_ro("source", &Torus::source, "Who says so, as LinkFigures.source.")
      .def("route", &route, "source"_a, "target"_a,
           "(point where it begins, axis, backwards) of each link from one point to another, in dimension "
           "order.");
  module.def(
      "points_in_boxes",
      [](const std::vector<std::int32_t>& sizes, const std::vector<std::int32_t>& box, std::int32_t n_nodes) {
        return points_in_boxes(sizes, box, n_nodes);
      },
      "sizes"_a, "box"_a, "n_nodes"_a,
      "[node] points of nodes that fill box after box, the first axis fastest; [] as box: one box.");
}

}  // namespace corewise::bindings
