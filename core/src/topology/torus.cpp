/// Torus: numbering of points and links, dimension-order routes, checks.
#include "corewise/torus.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {
namespace {

std::string sizes_text(std::span<const std::int32_t> sizes) {
  std::string text;
  for (const std::int32_t size : sizes) text += concat(text.empty() ? "" : " x ", size);
  return text.empty() ? "none" : text;
}

/// The product of the sizes. @throws Error(bad_input) unless all are at least 1 and it is not too large.
std::int64_t checked_points(std::span<const std::int32_t> sizes) {
  std::int64_t n_points = sizes.empty() ? 0 : 1;
  for (const std::int32_t size : sizes) {
    n_points *= std::max(size, 0);
    if (n_points == 0 || n_points > kMostPoints) {
      n_points = 0;
      break;
    }
  }
  if (n_points == 0) {
    throw Error(ErrorCode::bad_input, concat("a torus has the sizes ", sizes_text(sizes),
                                             "; expected one whole number from 1 for "
                                             "each axis, together at most ",
                                             kMostPoints, " points"));
  }
  return n_points;
}

}  // namespace

std::int32_t Torus::n_points() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::int32_t{1}, std::multiplies<>());
}

TorusLink Torus::link(std::int32_t number) const {
  const std::int32_t of_point = number / 2;
  return {of_point / n_axes(), of_point % n_axes(), number % 2 == 1};
}

void Torus::route(std::int32_t from, std::int32_t to, std::vector<std::int32_t>& links) const {
  std::int32_t stride = 1;  // between neighbours along the axis
  for (std::int32_t axis = 0; axis < n_axes(); ++axis) {
    const std::int32_t size = sizes[static_cast<std::size_t>(axis)];
    std::int32_t at = from / stride % size;
    const std::int32_t forwards = (to / stride % size - at + size) % size;
    const bool backwards = 2 * forwards > size;
    for (std::int32_t left = backwards ? size - forwards : forwards; left > 0; --left) {
      links.push_back(number_of({from, axis, backwards}));
      const std::int32_t next = (at + (backwards ? size - 1 : 1)) % size;
      from += (next - at) * stride;
      at = next;
    }
    stride *= size;
  }
}

std::vector<std::int32_t> points_in_boxes(std::span<const std::int32_t> sizes,
                                          std::span<const std::int32_t> box, std::int32_t n_nodes) {
  const std::int64_t n_points = checked_points(sizes);
  const std::span<const std::int32_t> of_box = box.empty() ? sizes : box;
  bool divides = of_box.size() == sizes.size();
  for (std::size_t axis = 0; divides && axis < sizes.size(); ++axis) {
    divides = of_box[axis] >= 1 && sizes[axis] % of_box[axis] == 0;
  }
  if (!divides) {
    throw Error(ErrorCode::bad_input, concat("boxes of ", sizes_text(of_box), " in a torus of ",
                                             sizes_text(sizes), "; expected a divisor for each axis"));
  }
  if (n_nodes > n_points) {
    throw Error(ErrorCode::bad_input, concat("a torus of ", sizes_text(sizes), " has ", n_points,
                                             " points for ", n_nodes, " nodes; expected one for each node"));
  }
  std::vector<std::int32_t> points(static_cast<std::size_t>(n_nodes));
  for (std::int32_t node = 0; node < n_nodes; ++node) {
    std::int32_t in_box = node;  // digits in mixed base: the point within its box, then the box
    std::int32_t of_boxes = node / std::accumulate(of_box.begin(), of_box.end(), 1, std::multiplies<>());
    std::int32_t stride = 1;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      const std::int32_t n_boxes = sizes[axis] / of_box[axis];
      points[static_cast<std::size_t>(node)] +=
          (of_boxes % n_boxes * of_box[axis] + in_box % of_box[axis]) * stride;
      in_box /= of_box[axis];
      of_boxes /= n_boxes;
      stride *= sizes[axis];
    }
  }
  return points;
}

void check_torus(std::string_view machine, const Torus& torus, std::int32_t n_nodes) {
  const std::int64_t n_points = checked_points(torus.sizes);
  std::vector<std::int32_t> points = torus.point_of_node;
  std::ranges::sort(points);
  const bool distinct = std::ranges::adjacent_find(points) == points.end();
  if (static_cast<std::int32_t>(points.size()) != n_nodes || !distinct ||
      (!points.empty() && (points.front() < 0 || points.back() >= n_points))) {
    throw Error(ErrorCode::bad_input,
                concat("'", machine, "' gives ", points.size(), " points of a torus of ",
                       sizes_text(torus.sizes), " to ", n_nodes,
                       " nodes; expected a different point, from 0 to ", n_points - 1, ", for each"));
  }
  const auto is_rate = [](double rate) { return std::isfinite(rate) && rate > 0; };
  if (!is_rate(torus.bandwidth_bytes_per_s) || !std::isfinite(torus.hop_latency_s) ||
      torus.hop_latency_s < 0) {
    throw Error(
        ErrorCode::bad_input,
        concat("the torus of '", machine, "' has links of ", torus.bandwidth_bytes_per_s, " bytes/s and ",
               torus.hop_latency_s, " s; expected a bandwidth above 0 and a latency of 0 or more"));
  }
}

}  // namespace corewise
