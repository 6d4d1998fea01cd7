/// FairShares: what each of several flows gets of the links that they cross together.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

namespace corewise {

/// Flows over links of limited bandwidth, in simulated time. At any moment the rates are max-min fair: no
/// flow can get more without one that has no more getting less (Bertsekas and Gallager, Data Networks, 2nd
/// ed., 6.5.2). Rates are recomputed only for the flows that a new or ended one can have changed: those that
/// share links with it, directly or through others.
class FairShares {
 public:
  /// @param capacity  of each link, bytes/s, above 0.
  explicit FairShares(std::vector<double> capacity);

  /// A flow of `bytes` > 0 over some links, none twice, from `now_s` on. The number is the caller's, small
  /// and not in use.
  void begin(std::int32_t flow, double bytes, std::span<const std::int32_t> links, double now_s);

  /// Sets the rates that follow from all that has begun and ended; to be called before next_end_s().
  void settle(double now_s);
  /// When the next flow ends; infinite without one.
  [[nodiscard]] double next_end_s();
  /// Takes out the flow that ends next, and returns it. @pre next_end_s() is finite
  [[nodiscard]] std::int32_t end_next();

 private:
  struct Flow {
    std::vector<std::int32_t> links;
    double left_bytes = 0;
    double rate = 0;
    double since_s = 0;           ///< when left_bytes was as it says
    std::uint32_t version = 0;    ///< of its rate: older ends are void
    std::int32_t marked_in = -1;  ///< number of the settling that saw it last
  };
  struct End {
    double at_s;
    std::int32_t flow;
    std::uint32_t version;
    friend bool operator>(const End& a, const End& b) {
      return a.at_s != b.at_s ? a.at_s > b.at_s : a.flow > b.flow;
    }
  };
  struct Link {
    double capacity = 0;
    std::vector<std::int32_t> flows;
    double left = 0;          ///< while rates are set: what no flow has yet
    std::int32_t n_open = 0;  ///< while rates are set: flows without a rate
    std::int32_t marked_in = -1;
  };

  void collect_changed();
  void fill();
  void set_rate(std::int32_t flow, double rate, double now_s);

  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::vector<std::int32_t> changed_links_;  ///< of flows that began or ended
  std::vector<std::int32_t> seen_flows_, seen_links_;
  std::vector<double> new_rate_;     ///< [place in seen_flows_]
  std::vector<std::int32_t> place_;  ///< [flow] place in seen_flows_
  std::int32_t settling_ = 0;
};

}  // namespace corewise
