/// traffic_times(): adds up the loads of all links and the latencies of all ranks, phase by phase.
#include "estimate/traffic_times.hpp"

#include <algorithm>

namespace corewise {
namespace {

/// Loads and latencies of one phase, without its repeat.
class PhaseSums {
 public:
  PhaseSums(const Machine& machine, const LinkPaths& paths, std::span<const LinkFigures> figures,
            const Placement& placement)
      : machine_(machine),
        paths_(paths),
        figures_(figures),
        placement_(placement),
        link_bytes_(paths.capacities().size()),
        sent_s_(static_cast<std::size_t>(placement.n_ranks())),
        received_s_(sent_s_) {}

  void add(Rank src, const PairTraffic& pair) {
    const CoreIndex from = placement_.core(src);
    const CoreIndex to = placement_.core(pair.peer);
    paths_.path(from, to, links_);
    for (const std::int32_t link : links_) {
      link_bytes_[static_cast<std::size_t>(link)] += static_cast<double>(pair.bytes);
    }
    const int level = std::max(1, machine_.meeting_level(from, to));
    const auto n = static_cast<double>(pair.messages);
    const double bytes = n > 0 ? static_cast<double>(pair.bytes) / n : 0;
    const MessageOverhead overhead =
        paths_.overhead(links_, figures_[static_cast<std::size_t>(level - 1)], bytes);
    const std::span<const std::int32_t> copying = paths_.copying(links_);
    for (const std::int32_t link : copying) {
      const auto at = static_cast<std::size_t>(link);
      link_bytes_[at] += n * overhead.copying_s * paths_.capacities()[at];
    }
    const double latency_s = n * (copying.empty() ? overhead.all_s() : overhead.latency_s);
    sent_s_[static_cast<std::size_t>(raw(src))] += latency_s;
    received_s_[static_cast<std::size_t>(raw(pair.peer))] += latency_s;
  }

  [[nodiscard]] double time_s() const {
    double slowest = 0;
    for (std::size_t link = 0; link < link_bytes_.size(); ++link) {
      slowest = std::max(slowest, link_bytes_[link] / paths_.capacities()[link]);
    }
    double latency_s = 0;
    for (std::size_t rank = 0; rank < sent_s_.size(); ++rank) latency_s = std::max(latency_s, of_rank(rank));
    return slowest + latency_s;
  }

  void add_to(TrafficTimes& times, double repeat) const {
    times.phase_s.push_back(repeat * time_s());
    for (std::size_t link = 0; link < link_bytes_.size(); ++link) {
      times.link_bytes[link] += repeat * link_bytes_[link];
    }
    for (std::size_t rank = 0; rank < sent_s_.size(); ++rank) times.latency_s[rank] += repeat * of_rank(rank);
  }

 private:
  [[nodiscard]] double of_rank(std::size_t rank) const { return std::max(sent_s_[rank], received_s_[rank]); }

  const Machine& machine_;
  const LinkPaths& paths_;
  std::span<const LinkFigures> figures_;
  const Placement& placement_;
  std::vector<double> link_bytes_;
  std::vector<double> sent_s_, received_s_;  ///< [rank]
  std::vector<std::int32_t> links_;
};

}  // namespace

TrafficTimes traffic_times(const Traffic& traffic, const Machine& machine, const LinkPaths& paths,
                           std::span<const LinkFigures> figures, const Placement& placement,
                           const std::stop_token& stop) {
  TrafficTimes times;
  times.link_bytes.resize(paths.capacities().size());
  times.latency_s.resize(static_cast<std::size_t>(placement.n_ranks()));
  for (const Phase& phase : traffic.phases) {
    PhaseSums sums(machine, paths, figures, placement);
    for (std::int32_t rank = 0; rank < phase.matrix.n_ranks(); ++rank) {
      check_stop(stop);
      for (const PairTraffic& pair : phase.matrix.row(Rank{rank})) {
        if (raw(pair.peer) != rank) sums.add(Rank{rank}, pair);
      }
    }
    sums.add_to(times, static_cast<double>(phase.repeat));
  }
  return times;
}

}  // namespace corewise
