/// Torus: a network of nodes at the points of a grid with links between neighbours. Each axis is a ring.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corewise {

/// Greatest number of points of a torus. The links of three axes then take about 100 MB.
inline constexpr std::int64_t kMostPoints = 1 << 20;

/// A directed link of a torus, from a point to its neighbour along an axis.
struct TorusLink {
  std::int32_t point = 0;  ///< start of the link
  std::int32_t axis = 0;
  bool backwards = false;  ///< towards the lower coordinate
};

/// A direct network of k dimensions. In the numbering of points, the coordinate of the first axis changes
/// fastest. Points without a node of the machine exist as well (nodes of other jobs) and forward messages.
/// The link of the machine's network level joins each node to its point; the torus adds the links between
/// points.
struct Torus {
  std::vector<std::int32_t> sizes;          ///< points along each axis, 1 or more
  std::vector<std::int32_t> point_of_node;  ///< [node], all different
  double bandwidth_bytes_per_s = 0;         ///< of a link, per direction
  double hop_latency_s = 0;                 ///< added for each link that a message crosses
  std::string source;                       ///< of these two figures, as LinkFigures::source

  [[nodiscard]] int n_axes() const { return static_cast<int>(sizes.size()); }
  [[nodiscard]] std::int32_t n_points() const;
  /// Links are numbered from 0 to n_links() - 1.
  [[nodiscard]] std::int32_t n_links() const { return 2 * n_axes() * n_points(); }
  [[nodiscard]] TorusLink link(std::int32_t number) const;
  [[nodiscard]] std::int32_t number_of(const TorusLink& link) const {
    return (link.point * n_axes() + link.axis) * 2 + (link.backwards ? 1 : 0);
  }
  /// Appends the numbers of the links of the dimension-order route (Dally and Towles, Principles and
  /// Practices of Interconnection Networks, 8.4): first along the first axis, then along the next. Each ring
  /// is crossed in the shorter direction, forwards if both are equal.
  void route(std::int32_t from, std::int32_t to, std::vector<std::int32_t>& links) const;
  friend bool operator==(const Torus&, const Torus&) = default;
};

/// [node] -> its point, for nodes that fill the torus box by box. In each box, and in the order of the boxes,
/// the coordinate of the first axis changes fastest.
/// @param box  points of a box along each axis, divisors of `sizes`; empty: the torus is one box.
/// @throws Error(bad_input) for invalid sizes or boxes, or fewer points than nodes.
[[nodiscard]] std::vector<std::int32_t> points_in_boxes(std::span<const std::int32_t> sizes,
                                                        std::span<const std::int32_t> box,
                                                        std::int32_t n_nodes);

/// @throws Error(bad_input) naming the machine, for invalid figures, or for nodes without a separate point.
void check_torus(std::string_view machine, const Torus& torus, std::int32_t n_nodes);

}  // namespace corewise
