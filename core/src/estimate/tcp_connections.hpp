/// TcpConnections: a model of TCP connections between ranks on different nodes, in simulated time.
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

/// Each ordered pair of ranks has one connection, which keeps the order of its parcels. A link passes
/// segments first come, first served, so long messages of several connections alternate. A connection's
/// socket buffers bytes that the link has not passed yet; for the sender, these are sent.
class TcpConnections {
 public:
  /// The parcels of a message: the request of a rendezvous (announce), its answer after the receive was
  /// posted (clear), and the message itself (data). `taken` is no parcel but reports that the rest of the
  /// message is in the socket buffer.
  enum class Kind : std::uint8_t { announce, clear, data, taken };
  struct Parcel {
    Kind kind;
    std::int32_t message;
  };

  /// @param capacity  [link] bytes/s, above 0.
  explicit TcpConnections(std::vector<double> capacity)
      : capacity_(std::move(capacity)), free_s_(capacity_.size(), -std::numeric_limits<double>::infinity()) {}

  /// Queues a parcel on the connection from rank `from` to rank `to`.
  /// @param links  path of the connection in order, at least one link; always the same for two ranks.
  void send(Parcel parcel, std::int32_t from, std::int32_t to, double bytes,
            std::span<const std::int32_t> links, double now_s);
  /// Time of the next event; infinity if there is none.
  [[nodiscard]] double next_s() const;
  /// Handles the next event. @return true if `delivered` is set. @pre next_s() is finite
  bool next(Parcel& delivered);

 private:
  struct Queued {
    Parcel parcel;
    double left_bytes;
  };
  struct Connection {
    std::vector<std::int32_t> links;
    std::deque<Queued> queued;
    std::size_t n_taken = 0;  ///< the first n_taken of `queued` are wholly in the socket buffer
    double taken_bytes = 0;   ///< remaining bytes of these
    bool busy = false;
  };
  /// hop > 0: a segment reaches its next link or its destination. hop 0: a segment has left its first link,
  /// so the next segment can follow. hop -1: the socket buffer has taken a message.
  struct Event {
    double at_s;
    std::uint64_t order;  ///< order of creation, which decides between events at the same time
    std::int32_t connection;
    std::int32_t hop;  ///< index of the next link; the number of links: at its destination
    double bytes;
    double last_s;  ///< arrival of the last byte
    bool ends;      ///< whether this is the last segment of its parcel
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
  std::vector<double> free_s_;  ///< [link] end of the queue
  std::vector<Connection> connections_;
  std::unordered_map<std::uint64_t, std::int32_t> number_of_;  ///< [from << 32 | to]
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t n_events_ = 0;
};

}  // namespace corewise
