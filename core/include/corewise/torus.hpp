/// Torus: nodes at the points of a grid whose axes close to rings, and the links between neighbouring points.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corewise {

/// The most points that a torus may have: about 100 MB for the links of three axes.
inline constexpr std::int64_t kMostPoints = 1 << 20;

/// A directed link of a torus, from a point to its neighbour along an axis.
struct TorusLink {
  std::int32_t point = 0;  ///< where it begins
  std::int32_t axis = 0;
  bool backwards = false;  ///< towards the lower coordinate
};

/// A direct network of k dimensions. Points are numbered with the first axis running fastest; points without
/// a node of the machine are there too, others' nodes, and pass on what crosses them. Each node is joined to
/// its point by the link of the machine's network level; the torus adds the links between points.
struct Torus {
  std::vector<std::int32_t> sizes;          ///< points along each axis, 1 or more
  std::vector<std::int32_t> point_of_node;  ///< [node], all different
  double bandwidth_bytes_per_s = 0;         ///< of a link, in each direction by itself
  double hop_latency_s = 0;                 ///< added for each link that a message crosses
  std::string source;                       ///< who says so, as LinkFigures::source

  [[nodiscard]] int n_axes() const { return static_cast<int>(sizes.size()); }
  [[nodiscard]] std::int32_t n_points() const;
  /// Links have the numbers 0 to n_links() - 1.
  [[nodiscard]] std::int32_t n_links() const { return 2 * n_axes() * n_points(); }
  [[nodiscard]] TorusLink link(std::int32_t number) const;
  [[nodiscard]] std::int32_t number_of(const TorusLink& link) const {
    return (link.point * n_axes() + link.axis) * 2 + (link.backwards ? 1 : 0);
  }
  /// Appends the links from one point to another in dimension order (Dally and Towles, Principles and
  /// Practices of Interconnection Networks, 8.4): along the first axis the shorter way round, forwards where
  /// both are as long, then along the next.
  void route(std::int32_t from, std::int32_t to, std::vector<std::int32_t>& links) const;
  friend bool operator==(const Torus&, const Torus&) = default;
};

/// Points of nodes that fill box after box: in a box, and among boxes, the first axis runs fastest.
/// @param box  its points along each axis, which divide those of the torus; empty: the torus is one box.
/// @throws Error(bad_input) for sizes or boxes that are none, or fewer points than nodes.
[[nodiscard]] std::vector<std::int32_t> points_in_boxes(std::span<const std::int32_t> sizes,
                                                        std::span<const std::int32_t> box,
                                                        std::int32_t n_nodes);

/// @throws Error(bad_input) naming the machine, for a torus that can't join `n_nodes` nodes.
void check_torus(std::string_view machine, const Torus& torus, std::int32_t n_nodes);

}  // namespace corewise
