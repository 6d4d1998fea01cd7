/// LinkPaths: the directed links of a machine, their bandwidths, and the links that a message crosses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/link_figures.hpp"
#include "corewise/machine.hpp"

namespace corewise {

/// The position of a link; fields as in BusiestLink.
struct LinkName {
  int level = 0;
  std::int32_t group = 0;
  bool down = false;
  bool bus = false;
  std::int32_t axis = -1;  ///< -1: not of the torus
  bool both_ways = false;
};

/// Time of a message in addition to bytes / bandwidth of the slowest tree link of its path.
struct MessageOverhead {
  double latency_s = 0;  ///< latency of the level where its ends meet, and of its hops in the torus
  double copying_s = 0;  ///< further time by the level's curve, during which the cores are busy copying
  [[nodiscard]] double all_s() const { return latency_s + copying_s; }
};

/// Links are numbered from 0; each direction is a link. Shared limits are further links of a path: the common
/// limit of both directions of a link, if they were measured to have less than twice its bandwidth together;
/// and a bus, if links under one object were measured to share it. Both have the greatest measured load. With
/// rdma, a path has no link below the network adapters. Between two nodes of a torus, it also has links of
/// the torus. The machine must outlive this object.
class LinkPaths {
 public:
  /// @param figures  [level - 1] figures, used in place of the machine's.
  LinkPaths(const Machine& machine, std::span<const LinkFigures> figures);

  /// [link] bytes/s.
  [[nodiscard]] const std::vector<double>& capacities() const { return capacity_; }
  [[nodiscard]] LinkName name(std::int32_t link) const;
  /// Replaces `links` with the path from core a to core b; empty for the same core.
  void path(CoreIndex a, CoreIndex b, std::vector<std::int32_t>& links) const;
  /// @param path     empty for ranks on the same core; the overhead is then the whole time of the message.
  /// @param figures  of the level where the ends of the message meet.
  [[nodiscard]] MessageOverhead overhead(std::span<const std::int32_t> path, const LinkFigures& figures,
                                         double bytes) const;
  /// The common limits of both directions of the sender's and the receiver's core, as links of `path`. Empty
  /// if the path does not start at a core (rdma) or cores have no such limit.
  [[nodiscard]] std::span<const std::int32_t> copying(std::span<const std::int32_t> path) const;

 private:
  struct OfLevel {
    // Number of the first link of each kind: that of group 0, followed by those of the other groups.
    std::int32_t up = 0;
    std::int32_t down = 0;
    std::int32_t both_ways = -1;  ///< common limits of both directions; -1: none
    std::int32_t bus = -1;        ///< -1: none
    int lowest = 1;               ///< lowest level of the links of paths that meet at this level
  };
  std::int32_t add(std::int32_t n, double capacity);

  const Machine& machine_;
  std::vector<OfLevel> levels_;  ///< [level - 1]
  std::int32_t torus_ = 0;       ///< number of the first link of the torus; these links are last
  std::vector<double> capacity_;
};

}  // namespace corewise
