/// read_events(): decodes all event chunks, completes requests, matches messages, corrects nodes' clocks.
#include "corewise/events.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "corewise/error.hpp"
#include "text.hpp"
#include "traffic/chunk_reader.hpp"
#include "traffic/clock_evidence.hpp"
#include "traffic/event_matching.hpp"
#include "traffic/event_records.hpp"
#include "traffic/node_clocks.hpp"
#include "traffic/profile_file.hpp"
#include "traffic/rank_clock.hpp"

namespace corewise {
namespace {

constexpr std::size_t kMostEvents = std::size_t{1} << 25;

/// A chunk of events, still encoded: that takes much less memory than the events.
struct StoredChunk {
  std::size_t file = 0;
  std::int32_t rank = 0;
  std::uint32_t thread = 0;
  cw_profile_events head{};
  std::vector<std::uint8_t> records;
  std::size_t n_events = 0;  ///< an upper limit

  [[nodiscard]] double begin_ticks() const {
    return std::ldexp(static_cast<double>(head.begin_ticks), static_cast<int>(std::min(head.shift, 32u)));
  }
};

class EventMerger {
 public:
  EventLog merge(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) read_file(path);
    decode_chunks();
    set_times();
    match_messages(log_);
    if (log_.node_clocks.size() > 1 && !log_.clocks_aligned) compare_nodes();
    return std::move(log_);
  }

 private:
  struct Completion {
    std::size_t event;  ///< index into EventLog::events
    CompletionRecord record;
  };
  /// Requests of the rank whose chunks are being decoded.
  struct Requests {
    std::unordered_map<std::uint64_t, std::size_t> started;  ///< request number -> index of its event
    std::vector<Completion> completions;
  };

  void read_file(const std::string& path) {
    ChunkReader chunks(path);
    const cw_profile_header& header = chunks.header();
    if (header.world[0] != 0) {
      throw Error(ErrorCode::unsupported,
                  concat(path,
                         ": events of spawned processes; expected those of one MPI_COMM_WORLD alone, because "
                         "messages between several are not matched: trace in the mode time"));
    }
    if (n_ranks_ == 0) n_ranks_ = header.n_ranks;
    if (n_ranks_ != header.n_ranks) {
      throw Error(ErrorCode::bad_input,
                  concat(path, ": of a job of ", header.n_ranks, " ranks, next to files of ", n_ranks_,
                         "; expected the files of one job"));
    }
    const std::string host(header.node.host, strnlen(header.node.host, sizeof header.node.host));
    log_.node_clocks.push_back({host, 0, 0, std::nullopt});
    node_rank_ = -1;
    std::vector<std::int32_t>& call_of = calls_of_file_.emplace_back();
    for (const cw_profile_call& call : chunks.calls()) call_of.push_back(add_call(call));
    for (ChunkFound found = chunks.next(); found != ChunkFound::end; found = chunks.next()) {
      const cw_profile_chunk& chunk = chunks.chunk();
      if (found == ChunkFound::damaged || chunk.rank < 0 || chunk.rank >= std::int64_t{n_ranks_}) continue;
      if (chunk.kind == CW_CHUNK_RANK) read_rank(chunks.content(), chunk.rank);
      if (chunk.kind == CW_CHUNK_CLOCKS) read_clocks(chunks.content(), chunk);
      if (chunk.kind == CW_CHUNK_COMMS) read_comms(chunks.content(), chunk.n_items);
      if (chunk.kind == CW_CHUNK_EVENTS) store_chunk(chunks.content(), chunk);
    }
  }

  std::int32_t add_call(const cw_profile_call& call) {
    const std::string name(call.name, strnlen(call.name, sizeof call.name));
    const auto next = static_cast<std::int32_t>(log_.calls.size());
    const auto [at, is_new] = call_index_.try_emplace(name, next);
    if (is_new) {
      log_.calls.push_back({name, call.layer <= CW_LAYER_IO ? static_cast<Layer>(call.layer) : Layer::p2p});
      order_of_call_.push_back(order_of(log_.calls.back(), call.flow));
    }
    return at->second;
  }

  void read_rank(const Content& content, std::int32_t rank) {
    RankClock& clock = clocks_[rank];
    const auto record = content.at<cw_profile_rank>(0);
    if (clock.known || !(record.ticks_per_s > 0 && record.ticks_per_s < 1e15)) return;
    if (node_rank_ < 0) node_rank_ = rank;
    clock.record = record;
    clock.known = true;
    clock.node = calls_of_file_.size() - 1;
    clock.node_rank = node_rank_;
    log_.n_dropped += record.n_events_dropped;
  }

  void read_clocks(const Content& content, const cw_profile_chunk& chunk) {
    RankClock& clock = clocks_[chunk.rank];
    const std::uint64_t n = std::min<std::uint64_t>(chunk.n_items, content.size() / sizeof(cw_profile_clock));
    for (std::uint64_t i = 0; i < n; ++i) {
      clock.readings.push_back(content.at<cw_profile_clock>(i * sizeof(cw_profile_clock)));
      const double error_s = static_cast<double>(clock.readings.back().error_ns) * 1e-9;
      log_.clock_error_s = std::max(log_.clock_error_s, error_s);
    }
    std::sort(clock.readings.begin(), clock.readings.end(),
              [](const cw_profile_clock& a, const cw_profile_clock& b) { return a.ticks < b.ticks; });
  }

  void read_comms(const Content& content, std::uint64_t n_items) {
    const std::uint64_t n = std::min<std::uint64_t>(n_items, content.size() / sizeof(cw_profile_comm));
    for (std::uint64_t i = 0; i < n; ++i)
      identified_.insert(content.at<cw_profile_comm>(i * sizeof(cw_profile_comm)).id);
  }

  void store_chunk(const Content& content, const cw_profile_chunk& chunk) {
    StoredChunk stored;
    stored.file = calls_of_file_.size() - 1;
    stored.rank = chunk.rank;
    stored.thread = chunk.thread;
    stored.head = content.at<cw_profile_events>(0);
    const std::span<const std::uint8_t> records = content.from(sizeof(cw_profile_events));
    const std::size_t used = std::min<std::uint64_t>(stored.head.used_bytes, records.size());
    stored.records.assign(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(used));
    stored.n_events = std::min<std::size_t>(chunk.n_items, used);  // an event has at least one byte
    chunks_.push_back(std::move(stored));
  }

  /// Decodes the chunks in the order of EventLog::events: events of an intact file then need no sorting.
  void decode_chunks() {
    std::stable_sort(chunks_.begin(), chunks_.end(), [](const StoredChunk& a, const StoredChunk& b) {
      return std::tuple(a.rank, a.thread, a.begin_ticks()) < std::tuple(b.rank, b.thread, b.begin_ticks());
    });
    std::size_t n_events = 0;
    for (const StoredChunk& chunk : chunks_) n_events += chunk.n_events;
    log_.events.reserve(std::min(n_events, kMostEvents));
    for (auto chunk = chunks_.begin(); chunk != chunks_.end();) {
      const std::size_t first = log_.events.size();
      const std::int32_t rank = chunk->rank;
      Requests requests;
      for (; chunk != chunks_.end() && chunk->rank == rank; ++chunk) {
        decode_chunk(*chunk, requests);
        chunk->records = {};
      }
      sort_events(first, requests);
      complete_requests(requests);
    }
    chunks_.clear();
  }

  void decode_chunk(const StoredChunk& chunk, Requests& requests) {
    const DecodedEvents decoded = decode_events(chunk.head, chunk.records);
    const std::vector<std::int32_t>& call_of = calls_of_file_[chunk.file];
    bool damaged = decoded.damaged;
    const std::size_t first = log_.events.size();
    if (first + decoded.events.size() > kMostEvents) {
      throw Error(ErrorCode::bad_input, "more than 2^25 events; expected fewer: trace a shorter run");
    }
    for (const EventRecord& record : decoded.events) {
      const bool sound =
          record.call < call_of.size() && record.peer >= -1 && record.peer < std::int64_t{n_ranks_};
      damaged = damaged || !sound;
      if (!sound) break;
      log_.events.push_back(event_of(record, chunk, call_of[record.call]));
      if (log_.events.back().starts) requests.started.try_emplace(record.request, log_.events.size() - 1);
    }
    for (const CompletionRecord& done : decoded.completions) {
      if (first + done.event >= log_.events.size()) break;
      requests.completions.push_back({first + done.event, done});
    }
    log_.n_damaged += damaged ? 1 : 0;
  }

  static Event event_of(const EventRecord& record, const StoredChunk& chunk, std::int32_t call) {
    Event event;
    event.rank = Rank{chunk.rank};
    event.thread = chunk.thread;
    event.call = call;
    event.peer = static_cast<std::int32_t>(record.peer);
    event.tag = record.tag;
    event.comm = record.comm;
    event.bytes = record.bytes;
    event.begin_s = record.begin_ticks;
    event.end_s = record.end_ticks;
    const auto is = [&](cw_profile_event_flag flag) { return (record.flags & flag) != 0; };
    event.sends = is(CW_EVENT_SENDS);
    event.receives = is(CW_EVENT_RECEIVES);
    event.collective = is(CW_EVENT_COLLECTIVE);
    event.starts = is(CW_EVENT_STARTS);
    event.part = is(CW_EVENT_PART);
    event.failed = is(CW_EVENT_FAILED);
    return event;
  }

  /// Sorts the events from `first` on by thread and time, parts after their event. For damaged files.
  void sort_events(std::size_t first, Requests& requests) {
    std::vector<Event>& events = log_.events;
    const auto begin = events.begin() + static_cast<std::ptrdiff_t>(first);
    const auto is_before = [](const Event& a, const Event& b) {
      return std::tuple(a.thread, a.begin_s) < std::tuple(b.thread, b.begin_s);
    };
    if (std::is_sorted(begin, events.end(), is_before)) return;
    std::vector<std::size_t> order;
    for (std::size_t i = first; i < events.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return is_before(events[a], events[b]); });
    std::vector<Event> sorted;
    std::vector<std::size_t> place_of(order.size());
    for (const std::size_t i : order) {
      place_of[i - first] = first + sorted.size();
      sorted.push_back(events[i]);
    }
    std::copy(sorted.begin(), sorted.end(), begin);
    for (auto& [number, event] : requests.started) event = place_of[event - first];
    for (Completion& done : requests.completions) done.event = place_of[done.event - first];
  }

  void complete_requests(const Requests& requests) {
    for (const auto& [event_index, done] : requests.completions) {
      const auto start = requests.started.find(done.request);
      if (start == requests.started.end()) continue;
      Event& event = log_.events[start->second];
      event.completed_by = static_cast<std::int32_t>(event_index);
      if (done.cancelled) event.sends = event.receives = false;
      if (!done.has_status || !event.receives) continue;
      const bool in_world = done.source >= 0 && done.source < std::int64_t{n_ranks_};
      event.peer = in_world ? static_cast<std::int32_t>(done.source) : -1;
      event.tag = done.tag;
      event.bytes = done.bytes;
    }
  }

  /// Converts ticks to seconds since the start of the first rank.
  void set_times() {
    std::int64_t origin_ns = std::numeric_limits<std::int64_t>::max();
    log_.clocks_aligned = true;
    for (const auto& [rank, clock] : clocks_) {
      if (!clock.known) continue;
      origin_ns = std::min(origin_ns, clock.record.begin_unix_ns);
      log_.clocks_aligned = log_.clocks_aligned && (log_.node_clocks.size() == 1 || !clock.readings.empty());
    }
    const double first_s = first_begin([&](const RankClock& clock, double ticks) {
      return clock_of(clock).seconds_since(origin_ns, ticks);
    });
    for (Event& event : log_.events) {
      const RankClock& own = clocks_[raw(event.rank)];
      const RankClock& clock = clock_of(own);
      event.begin_s = own.known ? clock.seconds_since(origin_ns, event.begin_s) - first_s : 0;
      event.end_s = own.known ? clock.seconds_since(origin_ns, event.end_s) - first_s : 0;
    }
    origin_ns_ = origin_ns;
    first_s_ = first_s;
    if (log_.clocks_aligned) {
      for (NodeClockInfo& node : log_.node_clocks) node.error_s = log_.clock_error_s;
    }
  }

  /// The earliest start of a rank. `seconds` converts ticks of a rank's clock.
  template <typename Seconds>
  [[nodiscard]] double first_begin(Seconds seconds) const {
    double first_s = std::numeric_limits<double>::infinity();
    for (const auto& [rank, clock] : clocks_) {
      if (clock.known)
        first_s = std::min(first_s, seconds(clock, static_cast<double>(clock.record.begin_ticks)));
    }
    return first_s;
  }

  [[nodiscard]] const RankClock& clock_of(const RankClock& own) const {
    return own.readings.empty() && own.known ? clocks_.at(own.node_rank) : own;
  }

  /// Converts all times to the first node's clock. Nodes whose clocks can't be compared keep their times.
  void compare_nodes() {
    const std::vector<NodeClock> found = compared_clocks();
    const double first_s = first_begin([&](const RankClock& clock, double ticks) {
      return found[clock.node].at(clock_of(clock).seconds_since(origin_ns_, ticks) - first_s_);
    });
    for (Event& event : log_.events) {
      const NodeClock& clock = found[clocks_[raw(event.rank)].node];
      event.begin_s = clock.at(event.begin_s) - first_s;
      event.end_s = clock.at(event.end_s) - first_s;
    }
    log_.clocks_aligned = true;
    log_.clock_error_s = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      NodeClockInfo& node = log_.node_clocks[i];
      node.ahead_s = -found[i].origin_s;
      node.drift = 1 - found[i].rate;
      node.error_s = found[i].error_s;
      log_.clocks_aligned = log_.clocks_aligned && node.error_s.has_value();
      log_.clock_error_s = std::max(log_.clock_error_s, node.error_s.value_or(0));
    }
  }

  /// Compares the nodes' clocks: [node] conversion to the first node's clock.
  std::vector<NodeClock> compared_clocks() {
    ClockComparison comparison;
    std::vector<NodeSpan> spans(log_.node_clocks.size(), {std::numeric_limits<double>::infinity(),
                                                          -std::numeric_limits<double>::infinity()});
    for (const Event& event : log_.events) {
      const std::size_t node = clocks_[raw(event.rank)].node;
      spans[node].begin_s = std::min(spans[node].begin_s, event.begin_s);
      spans[node].end_s = std::max(spans[node].end_s, event.end_s);
    }
    ClockEvidence evidence{log_, {}, order_of_call_, identified_};
    for (std::uint32_t rank = 0; rank < n_ranks_; ++rank)
      evidence.node_of.push_back(clocks_[static_cast<std::int32_t>(rank)].node);
    add_evidence(evidence, comparison);
    return comparison.clocks(spans);
  }

  EventLog log_;
  std::uint32_t n_ranks_ = 0;
  std::int32_t node_rank_ = -1;               ///< RankClock::node_rank of the file that is being read
  std::int64_t origin_ns_ = 0;                ///< origin of times before compare_nodes(), since 1970
  double first_s_ = 0;                        ///< start of the first rank, relative to origin_ns_
  std::map<std::int32_t, RankClock> clocks_;  ///< [rank]
  std::map<std::string, std::int32_t> call_index_;
  std::vector<Order> order_of_call_;                      ///< [index into EventLog::calls]
  std::set<std::uint64_t> identified_;                    ///< ClockEvidence::identified
  std::vector<std::vector<std::int32_t>> calls_of_file_;  ///< [file][its call] -> EventLog::calls
  std::vector<StoredChunk> chunks_;
};

}  // namespace

EventLog read_events(const std::string& directory) { return EventMerger().merge(profile_paths(directory)); }

}  // namespace corewise
