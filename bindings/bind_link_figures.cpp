/// Python bindings of LinkFigures. Bounds are (low, high); points of the curve and shared loads are tuples.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "corewise/link_figures.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace corewise::bindings {
namespace {

using Pair = std::pair<double, double>;
using Point = std::tuple<std::uint64_t, double, double, double>;
using Load = std::tuple<std::int32_t, std::int32_t, bool, double, double, double>;

std::optional<Bounds> bounds_of(const std::optional<Pair>& pair) {
  return pair ? std::optional(Bounds{pair->first, pair->second}) : std::nullopt;
}

std::optional<Pair> pair_of(const std::optional<Bounds>& bounds) {
  return bounds ? std::optional(Pair{bounds->low, bounds->high}) : std::nullopt;
}

LinkFigures figures_of(double latency_s, double bandwidth_bytes_per_s, std::string source,
                       const std::optional<Pair>& latency_bounds_s,
                       const std::optional<Pair>& bandwidth_bounds_bytes_per_s,
                       std::optional<std::uint64_t> eager_bytes, const std::vector<Point>& curve,
                       const std::vector<Load>& loads, bool rdma, bool tcp) {
  LinkFigures figures{latency_s, bandwidth_bytes_per_s, std::move(source)};
  figures.latency_bounds_s = bounds_of(latency_bounds_s);
  figures.bandwidth_bounds_bytes_per_s = bounds_of(bandwidth_bounds_bytes_per_s);
  figures.eager_bytes = eager_bytes;
  figures.rdma = rdma;
  figures.tcp = tcp;
  for (const auto& [size_bytes, time_s, low, high] : curve) {
    figures.curve.push_back({size_bytes, time_s, {low, high}});
  }
  for (const auto& [pairs, links, both_ways, bandwidth, low, high] : loads) {
    figures.loads.push_back({pairs, links, both_ways, bandwidth, {low, high}});
  }
  return figures;
}

std::vector<Point> curve_of(const LinkFigures& figures) {
  std::vector<Point> curve;
  for (const CurvePoint& point : figures.curve) {
    curve.emplace_back(point.size_bytes, point.time_s, point.bounds_s.low, point.bounds_s.high);
  }
  return curve;
}

std::vector<Load> loads_of(const LinkFigures& figures) {
  std::vector<Load> loads;
  for (const SharedLoad& load : figures.loads) {
    loads.emplace_back(load.pairs, load.links, load.both_ways, load.bandwidth_bytes_per_s,
                       load.bounds_bytes_per_s.low, load.bounds_bytes_per_s.high);
  }
  return loads;
}

}  // namespace

void bind_link_figures(nb::module_& module) {
  nb::class_<LinkFigures>(module, "LinkFigures",
                          "Latency and bandwidth of the links of one level, with their source and "
                          "uncertainty. Figures that were not measured are None or [].")
      .def(nb::new_(&figures_of), "latency_s"_a, "bandwidth_bytes_per_s"_a, "source"_a,
           "latency_bounds_s"_a = nb::none(), "bandwidth_bounds_bytes_per_s"_a = nb::none(),
           "eager_bytes"_a = nb::none(), "curve"_a = std::vector<Point>{}, "loads"_a = std::vector<Load>{},
           "rdma"_a = false, "tcp"_a = false)
      .def_ro("latency_s", &LinkFigures::latency_s,
              "Time of an empty message between two cores that meet at this level, s.")
      .def_ro("bandwidth_bytes_per_s", &LinkFigures::bandwidth_bytes_per_s,
              "Bandwidth of one direction of one link, bytes/s; 0 on bare trees.")
      .def_ro("source", &LinkFigures::source,
              "A citation, 'measured ...', 'assumed...', or 'none' on bare trees.")
      .def_prop_ro(
          "latency_bounds_s", [](const LinkFigures& figures) { return pair_of(figures.latency_bounds_s); },
          "(low, high) around latency_s.")
      .def_prop_ro(
          "bandwidth_bounds_bytes_per_s",
          [](const LinkFigures& figures) { return pair_of(figures.bandwidth_bounds_bytes_per_s); },
          "(low, high) around bandwidth_bytes_per_s.")
      .def_ro("eager_bytes", &LinkFigures::eager_bytes,
              "Size of the largest message that is sent without a handshake, bytes.")
      .def_prop_ro("curve", &curve_of,
                   "Time of one message by its size: (size_bytes, time_s, low_s, high_s), by ascending size.")
      .def_prop_ro("loads", &loads_of,
                   "Total bandwidths of pairs that send at the same time: (pairs per direction, links that "
                   "the senders use, whether pairs send in both directions, bytes/s, low, high).")
      .def_ro("rdma", &LinkFigures::rdma,
              "Whether adapters read and write memory without the cores, so that messages over these links "
              "use no bandwidth of the links below.")
      .def_ro("tcp", &LinkFigures::tcp,
              "Whether messages between nodes over these links use TCP, with one connection per pair of "
              "ranks.")
      .def_prop_ro("assumed", &LinkFigures::assumed, "Whether the figures are assumed, not measured.")
      .def_prop_ro("duplex", &LinkFigures::duplex,
                   "Whether a link has its full bandwidth in both directions at the same time; None if "
                   "unknown.")
      .def_prop_ro("shares_bus", &LinkFigures::shares_bus,
                   "Whether links under one object share bandwidth, as on a bus; None if unknown.");
}

}  // namespace corewise::bindings
