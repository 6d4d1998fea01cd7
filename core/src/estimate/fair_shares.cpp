/// FairShares: progressive filling (water filling) over the flows that a change can affect.
#include "estimate/fair_shares.hpp"

#include <algorithm>
#include <limits>

namespace corewise {
namespace {

constexpr double kLeastShare = 1e-9;

}  // namespace

FairShares::FairShares(std::vector<double> capacity) : links_(capacity.size()) {
  for (std::size_t i = 0; i < capacity.size(); ++i) links_[i].capacity = capacity[i];
}

void FairShares::begin(std::int32_t flow, double bytes, std::span<const std::int32_t> links, double now_s) {
  const auto at = static_cast<std::size_t>(flow);
  if (at >= flows_.size()) flows_.resize(at + 1);
  Flow& own = flows_[at];
  own.links.assign(links.begin(), links.end());
  own.left_bytes = bytes;
  own.rate = 0;
  own.since_s = now_s;
  ++own.version;
  for (const std::int32_t link : links) {
    links_[static_cast<std::size_t>(link)].flows.push_back(flow);
    changed_links_.push_back(link);
  }
}

void FairShares::settle(double now_s) {
  if (changed_links_.empty()) return;
  collect_changed();
  fill();
  for (std::size_t i = 0; i < seen_flows_.size(); ++i) set_rate(seen_flows_[i], new_rate_[i], now_s);
}

/// Collects all flows and links that are connected with the changed links, directly or through other flows.
void FairShares::collect_changed() {
  ++settling_;
  seen_flows_.clear();
  seen_links_.clear();
  place_.resize(flows_.size());
  const auto see_link = [&](std::int32_t link) {
    Link& seen = links_[static_cast<std::size_t>(link)];
    if (seen.marked_in == settling_) return;
    seen.marked_in = settling_;
    seen.left = seen.capacity;
    seen.n_open = static_cast<std::int32_t>(seen.flows.size());
    seen_links_.push_back(link);
  };
  for (const std::int32_t link : changed_links_) see_link(link);
  changed_links_.clear();
  for (std::size_t i = 0; i < seen_links_.size(); ++i) {
    for (const std::int32_t flow : links_[static_cast<std::size_t>(seen_links_[i])].flows) {
      Flow& seen = flows_[static_cast<std::size_t>(flow)];
      if (seen.marked_in == settling_) continue;
      seen.marked_in = settling_;
      place_[static_cast<std::size_t>(flow)] = static_cast<std::int32_t>(seen_flows_.size());
      seen_flows_.push_back(flow);
      for (const std::int32_t link : seen.links) see_link(link);
    }
  }
}

/// Repeatedly takes the link with the smallest share per open flow, and gives its flows that share.
void FairShares::fill() {
  new_rate_.assign(seen_flows_.size(), 0);
  std::erase_if(seen_links_,
                [&](std::int32_t link) { return links_[static_cast<std::size_t>(link)].n_open == 0; });
  while (!seen_links_.empty()) {
    double share = std::numeric_limits<double>::infinity();
    std::int32_t tightest = -1;
    for (const std::int32_t at : seen_links_) {
      const Link& link = links_[static_cast<std::size_t>(at)];
      // Rounding can leave 0 or less of a link that is nearly used up.
      const double own = std::max(link.left, kLeastShare * link.capacity) / link.n_open;
      if (own < share || (own == share && at < tightest)) {
        share = own;
        tightest = at;
      }
    }
    for (const std::int32_t flow : links_[static_cast<std::size_t>(tightest)].flows) {
      double& rate = new_rate_[static_cast<std::size_t>(place_[static_cast<std::size_t>(flow)])];
      if (rate > 0) continue;
      rate = share;
      for (const std::int32_t at : flows_[static_cast<std::size_t>(flow)].links) {
        Link& link = links_[static_cast<std::size_t>(at)];
        link.left -= share;
        --link.n_open;
      }
    }
    std::erase_if(seen_links_,
                  [&](std::int32_t link) { return links_[static_cast<std::size_t>(link)].n_open == 0; });
  }
}

void FairShares::set_rate(std::int32_t flow, double rate, double now_s) {
  Flow& own = flows_[static_cast<std::size_t>(flow)];
  if (rate == own.rate) return;
  own.left_bytes = std::max(0.0, own.left_bytes - own.rate * (now_s - own.since_s));
  own.since_s = now_s;
  own.rate = rate;
  ++own.version;
  ends_.push({now_s + own.left_bytes / rate, flow, own.version});
}

double FairShares::next_end_s() {
  while (!ends_.empty() && ends_.top().version != flows_[static_cast<std::size_t>(ends_.top().flow)].version)
    ends_.pop();
  return ends_.empty() ? std::numeric_limits<double>::infinity() : ends_.top().at_s;
}

std::int32_t FairShares::end_next() {
  const std::int32_t flow = ends_.top().flow;
  ends_.pop();
  Flow& own = flows_[static_cast<std::size_t>(flow)];
  ++own.version;
  for (const std::int32_t link : own.links) {
    std::erase(links_[static_cast<std::size_t>(link)].flows, flow);
    changed_links_.push_back(link);
  }
  return flow;
}

}  // namespace corewise
