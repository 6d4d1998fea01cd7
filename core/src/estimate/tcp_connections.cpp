/// TcpConnections: moves segments from link to link; each link is a first-in, first-out queue.
#include "estimate/tcp_connections.hpp"

#include <algorithm>
#include <limits>

namespace corewise {
namespace {

/// Greatest unit that Linux passes to a link before another connection's turn (GSO_LEGACY_MAX_SIZE).
constexpr double kSegmentBytes = 65536;

/// Bytes that a socket buffer accepts before the link has sent them. Open MPI 4.1 uses Linux's default.
/// Measured over links of 100 Mbit/s: sends of up to 615 KB returned 0.2 to 6 ms after the handshake; a send
/// of 1 MiB, which takes 84 ms on the link, returned after 14 to 31 ms
/// (docs/evidence/log/2026-11-predictions.md).
constexpr double kSocketBytes = 650e3;

}  // namespace

void TcpConnections::send(Parcel parcel, std::int32_t from, std::int32_t to, double bytes,
                          std::span<const std::int32_t> links, double now_s) {
  const std::uint64_t key = static_cast<std::uint64_t>(from) << 32U | static_cast<std::uint64_t>(to);
  const auto [found, is_new] = number_of_.emplace(key, static_cast<std::int32_t>(connections_.size()));
  if (is_new) connections_.push_back({{links.begin(), links.end()}, {}});
  Connection& own = connections_[static_cast<std::size_t>(found->second)];
  own.queued.push_back({parcel, bytes});
  fill_socket(found->second, now_s);
  if (!own.busy) send_segment(found->second, now_s);
}

void TcpConnections::fill_socket(std::int32_t connection, double now_s) {
  Connection& own = connections_[static_cast<std::size_t>(connection)];
  while (own.n_taken < own.queued.size()) {
    const Queued& next = own.queued[own.n_taken];
    if (own.taken_bytes + next.left_bytes > kSocketBytes) break;
    own.taken_bytes += next.left_bytes;
    ++own.n_taken;
    if (next.parcel.kind != Kind::data) continue;
    push({now_s, 0, connection, -1, 0, now_s, false, {Kind::taken, next.parcel.message}}, now_s);
  }
}

void TcpConnections::send_segment(std::int32_t connection, double now_s) {
  Connection& own = connections_[static_cast<std::size_t>(connection)];
  own.busy = !own.queued.empty();
  if (!own.busy) return;
  Queued& first = own.queued.front();
  const double bytes = std::min(first.left_bytes, kSegmentBytes);
  first.left_bytes -= bytes;
  if (own.n_taken > 0) own.taken_bytes -= bytes;
  const bool ends = first.left_bytes <= 0;
  const Event segment{now_s, 0, connection, 0, bytes, now_s, ends, first.parcel};
  if (ends) {
    own.queued.pop_front();
    --own.n_taken;
  }
  fill_socket(connection, now_s);
  cross(segment, now_s);
}

/// Puts a segment, whose first byte arrives now, in the queue of its next link.
void TcpConnections::cross(Event segment, double now_s) {
  const std::vector<std::int32_t>& links = connections_[static_cast<std::size_t>(segment.connection)].links;
  const auto link = static_cast<std::size_t>(links[static_cast<std::size_t>(segment.hop)]);
  const double begin_s = std::max(free_s_[link], now_s);
  free_s_[link] = begin_s + segment.bytes / capacity_[link];
  segment.last_s = std::max(segment.last_s, free_s_[link]);
  const double last_s = segment.last_s;
  const bool was_first = segment.hop == 0;
  const std::int32_t connection = segment.connection;
  const bool is_over = ++segment.hop == static_cast<std::int32_t>(links.size());
  push(segment, is_over ? last_s : begin_s);
  if (was_first) push({last_s, 0, connection, 0, 0, last_s, false, {}}, last_s);
}

void TcpConnections::push(Event event, double at_s) {
  event.at_s = at_s;
  event.order = n_events_++;
  events_.push(event);
}

double TcpConnections::next_s() const {
  return events_.empty() ? std::numeric_limits<double>::infinity() : events_.top().at_s;
}

bool TcpConnections::next(Parcel& delivered) {
  const Event event = events_.top();
  events_.pop();
  const std::size_t n_links = connections_[static_cast<std::size_t>(event.connection)].links.size();
  if (event.hop < 0) {
    delivered = event.parcel;
    return true;
  }
  if (event.hop == 0) {
    send_segment(event.connection, event.at_s);
  } else if (event.hop < static_cast<std::int32_t>(n_links)) {
    cross(event, event.at_s);
  } else if (event.ends) {
    delivered = event.parcel;
    return true;
  }
  return false;
}

}  // namespace corewise
