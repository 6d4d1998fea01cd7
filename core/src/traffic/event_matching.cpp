/// match_messages(): the k-th send matches the k-th receive of the same source, receiver, communicator, tag.
#include "traffic/event_matching.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace corewise {
namespace {

using EventIndex = std::uint32_t;  // read_events() reads fewer than 2^32

class Matcher {
 public:
  explicit Matcher(EventLog& log) : log_(log) {}

  void run() {
    for (std::size_t first = 0; first < log_.events.size();) {
      std::size_t end = first;
      while (end < log_.events.size() && log_.events[end].rank == log_.events[first].rank) ++end;
      add_rank(first, end);
      first = end;
    }
    for (const auto& [key, sent] : sends_) {
      const auto received = receives_.find(key);
      if (received == receives_.end()) continue;
      for (std::size_t k = 0; k < std::min(sent.size(), received->second.size()); ++k) {
        log_.events[sent[k]].matches = static_cast<std::int32_t>(received->second[k]);
        log_.events[received->second[k]].matches = static_cast<std::int32_t>(sent[k]);
      }
    }
  }

 private:
  using Key = std::tuple<std::int32_t, std::int32_t, std::uint64_t, std::int64_t>;  // src, dst, comm, tag
  using Ends = std::map<Key, std::vector<EventIndex>>;

  /// Adds the messages of one rank. Those of several threads are ordered by time.
  void add_rank(std::size_t first, std::size_t end) {
    if (log_.events[first].thread == log_.events[end - 1].thread) {
      for (std::size_t i = first; i < end; ++i) add_event(static_cast<EventIndex>(i));
      return;
    }
    std::vector<EventIndex> posted;
    for (std::size_t i = first; i < end; ++i) posted.push_back(static_cast<EventIndex>(i));
    std::stable_sort(posted.begin(), posted.end(), [&](EventIndex a, EventIndex b) {
      return log_.events[a].begin_s < log_.events[b].begin_s;
    });
    for (const EventIndex i : posted) add_event(i);
  }

  void add_event(EventIndex i) {
    const Event& event = log_.events[i];
    if (log_.calls[static_cast<std::size_t>(event.call)].layer != Layer::p2p) return;
    if (event.failed || event.peer < 0) return;
    const std::int32_t rank = raw(event.rank);
    if (event.sends) sends_[{rank, event.peer, event.comm, event.tag}].push_back(i);
    const bool done = !event.starts || event.completed_by >= 0;
    if (event.receives && done) receives_[{event.peer, rank, event.comm, event.tag}].push_back(i);
  }

  EventLog& log_;
  Ends sends_;
  Ends receives_;
};

}  // namespace

void match_messages(EventLog& log) { Matcher(log).run(); }

}  // namespace corewise
