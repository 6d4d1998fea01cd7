/// LinkPaths: the directed links of a machine, what they carry, and which of them a message crosses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/link_figures.hpp"
#include "corewise/machine.hpp"

namespace corewise {

/// A link of class `level`, from object `group` of level - 1 towards its parent, or down to it. A bus joins
/// all links under object `group` of `level` itself. With an axis it is a link of the torus, from point
/// `group` to the next one along the axis, `down` towards the lower coordinate. `both_ways` is what limits
/// both directions of a link together.
struct LinkName {
  int level = 0;
  std::int32_t group = 0;
  bool down = false;
  bool bus = false;
  std::int32_t axis = -1;  ///< -1: not of the torus
  bool both_ways = false;
};

/// What one message takes in addition to its bytes' time on the slowest link of the tree in its path, s.
struct MessageOverhead {
  double latency_s = 0;  ///< that of the level where its ends meet, and its hops in the torus
  double copying_s = 0;  ///< what its time on the level's curve is longer; its cores copy all the while
  [[nodiscard]] double all_s() const { return latency_s + copying_s; }
};

/// Links are numbered from 0, each direction by itself. Where less than twice the bandwidth was measured of
/// both directions together, a message also crosses a limit of both, which carries the greatest such load; a
/// link that nobody measured carries its bandwidth in either direction at once. Where links of a level are
/// measured to hinder each other, a message also crosses their bus, which carries the greatest load that was
/// measured. Where adapters read and write memory by themselves (rdma), a message crosses no link below
/// theirs. Between two nodes of a torus a message crosses its links, too. The machine must outlive it.
class LinkPaths {
 public:
  /// @param figures  of each level, [level - 1], in place of the machine's own.
  LinkPaths(const Machine& machine, std::span<const LinkFigures> figures);

  /// Bytes/s, [link].
  [[nodiscard]] const std::vector<double>& capacities() const { return capacity_; }
  [[nodiscard]] LinkName name(std::int32_t link) const;
  /// The links from core a to core b, into `links`; none for the same core.
  void path(CoreIndex a, CoreIndex b, std::vector<std::int32_t>& links) const;
  /// @param path     none between ranks on one core: all of the message's time is outside its links then.
  /// @param figures  of the level where its ends meet.
  [[nodiscard]] MessageOverhead overhead(std::span<const std::int32_t> path, const LinkFigures& figures,
                                         double bytes) const;
  /// The limits of both directions of the cores at the ends of a path, its sender's first; none if its
  /// messages cross none: their cores copy nothing, or both ways at once.
  [[nodiscard]] std::span<const std::int32_t> copying(std::span<const std::int32_t> path) const;

 private:
  struct OfLevel {
    std::int32_t up = 0;          ///< number of the link of group 0; those of further groups follow
    std::int32_t down = 0;        ///< the same, towards the cores
    std::int32_t both_ways = -1;  ///< the same of both directions together; -1: no limit
    std::int32_t bus = -1;        ///< the same of the buses; -1: none
    int lowest = 1;               ///< level of the lowest links that messages cross whose ends meet here
  };
  std::int32_t add(std::int32_t n, double capacity);

  const Machine& machine_;
  std::vector<OfLevel> levels_;  ///< [level - 1]
  std::int32_t torus_ = 0;       ///< number of the first link of the torus, after all others
  std::vector<double> capacity_;
};

}  // namespace corewise
