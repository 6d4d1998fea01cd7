/// TcpConnections: what nodes send each other over TCP, in the order in which it gets through.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

namespace corewise {

/// Between two ranks there is one connection each way, on which everything goes in order. Each link passes
/// whatever comes first; long messages take turns, a segment each. A connection's socket holds some
/// bytes that no link has passed yet: the sender is done with them.
class TcpConnections {
 public:
  /// What the ends of a connection tell each other about a message: that it is to come, that its receive is
  /// posted, and the message itself. `taken` is for the sender: the socket holds the rest of the message.
  enum class Kind : std::uint8_t { announce, clear, data, taken };
  struct Parcel {
    Kind kind;
    std::int32_t message;
  };

  /// @param capacity  of each link, bytes/s, above 0.
  explicit TcpConnections(std::vector<double> capacity)
      : capacity_(std::move(capacity)), free_s_(capacity_.size(), -std::numeric_limits<double>::infinity()) {}

  /// A parcel from rank `from` to rank `to`, after all others there.
  /// @param links  in the order in which it crosses them, at least one; always the same between two ranks.
  void send(Parcel parcel, std::int32_t from, std::int32_t to, double bytes,
            std::span<const std::int32_t> links, double now_s);
  /// When something happens next; infinite where nothing is on its way.
  [[nodiscard]] double next_s() const;
  /// Lets that happen. @return true if `delivered` is there now, or taken. @pre next_s() is finite
  bool next(Parcel& delivered);

 private:
  struct Queued {
    Parcel parcel;
    double left_bytes;
  };
  struct Connection {
    std::vector<std::int32_t> links;
    std::deque<Queued> queued;
    std::size_t n_taken = 0;  ///< this many of `queued` are in the socket to their ends
    double taken_bytes = 0;   ///< what is left of them
    bool busy = false;
  };
  /// A segment on its way, or (`hop` 0) the end of one at its first link, which lets the next one follow, or
  /// (`hop` -1) the socket has taken a parcel.
  struct Event {
    double at_s;
    std::uint64_t order;  ///< of two at the same time the one that was known first
    std::int32_t connection;
    std::int32_t hop;  ///< the place of its next link; beyond the last one: its end
    double bytes;
    double last_s;  ///< when its last byte is there
    bool ends;      ///< the parcel
    Parcel parcel;
    friend bool operator>(const Event& a, const Event& b) {
      return a.at_s != b.at_s ? a.at_s > b.at_s : a.order > b.order;
    }
  };

  void send_segment(std::int32_t connection, double now_s);
  void fill_socket(std::int32_t connection, double now_s);
  void cross(Event segment, double now_s);
  void push(Event event, double at_s);

  std::vector<double> capacity_;
  std::vector<double> free_s_;  ///< [link] when it will have passed all that came, at its rate
  std::vector<Connection> connections_;
  std::unordered_map<std::uint64_t, std::int32_t> number_of_;  ///< [from << 32 | to]
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t n_events_ = 0;
};

}  // namespace corewise
