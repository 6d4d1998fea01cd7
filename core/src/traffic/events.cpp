/// read_events(): decodes all event chunks, completes requests, matches messages.
#include "corewise/events.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "corewise/error.hpp"
#include "text.hpp"
#include "traffic/chunk_reader.hpp"
#include "traffic/event_records.hpp"
#include "traffic/profile_file.hpp"

namespace corewise {
namespace {

constexpr std::size_t kMostEvents = std::size_t{1} << 25;

using EventIndex = std::uint32_t;  // read_events() reads fewer than 2^32

/// Sets Event::matches of point-to-point messages: the k-th send matches the k-th receive of the same source,
/// receiver, communicator and tag, in the order in which they are posted (MPI 4.0, 3.5). A message that is
/// received with MPI_Mprobe or MPI_Improbe counts as posted by that call.
///
/// The events are sorted, and completed_by is set.
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

/// The clock of a rank: its node's system time at a tick, and the rate of its ticks.
struct RankClock {
  cw_profile_rank record{};
  bool known = false;
  std::int32_t node_rank = -1;  ///< first rank of its file, whose clock stands for all ranks of the node

  /// Seconds since `origin_ns`, which is counted from 1970. It is an integer, because a double has a
  /// precision of only 0.24 us for such times. Unsigned arithmetic: a damaged file causes no overflow.
  [[nodiscard]] double seconds_since(std::int64_t origin_ns, double ticks) const {
    const auto begin_ns = static_cast<std::int64_t>(static_cast<std::uint64_t>(record.begin_unix_ns) -
                                                    static_cast<std::uint64_t>(origin_ns));
    const double ns = (ticks - static_cast<double>(record.begin_ticks)) * (1e9 / record.ticks_per_s);
    return (static_cast<double>(begin_ns) + ns) * 1e-9;
  }
};

class EventMerger {
 public:
  EventLog merge(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) read_file(path);
    decode_chunks();
    set_times();
    Matcher(log_).run();
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
    node_rank_ = -1;
    ++log_.n_nodes;
    std::vector<std::int32_t>& call_of = calls_of_file_.emplace_back();
    for (const cw_profile_call& call : chunks.calls()) call_of.push_back(add_call(call));
    for (ChunkFound found = chunks.next(); found != ChunkFound::end; found = chunks.next()) {
      const cw_profile_chunk& chunk = chunks.chunk();
      if (found == ChunkFound::damaged || chunk.rank < 0 || chunk.rank >= std::int64_t{n_ranks_}) continue;
      if (chunk.kind == CW_CHUNK_RANK) read_rank(chunks.content(), chunk.rank);
      if (chunk.kind == CW_CHUNK_EVENTS) store_chunk(chunks.content(), chunk);
    }
  }

  std::int32_t add_call(const cw_profile_call& call) {
    const std::string name(call.name, strnlen(call.name, sizeof call.name));
    const auto next = static_cast<std::int32_t>(log_.calls.size());
    const auto [at, is_new] = call_index_.try_emplace(name, next);
    if (is_new) {
      log_.calls.push_back({name, call.layer <= CW_LAYER_IO ? static_cast<Layer>(call.layer) : Layer::p2p});
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
    clock.node_rank = node_rank_;
    log_.n_dropped += record.n_events_dropped;
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
    for (const auto& [rank, clock] : clocks_) {
      if (clock.known) origin_ns = std::min(origin_ns, clock.record.begin_unix_ns);
    }
    double first_s = std::numeric_limits<double>::infinity();
    for (const auto& [rank, own] : clocks_) {
      if (!own.known) continue;
      const auto begin_ticks = static_cast<double>(own.record.begin_ticks);
      first_s = std::min(first_s, clocks_.at(own.node_rank).seconds_since(origin_ns, begin_ticks));
    }
    for (Event& event : log_.events) {
      const RankClock& own = clocks_[raw(event.rank)];
      const RankClock& clock = own.known ? clocks_.at(own.node_rank) : own;
      event.begin_s = own.known ? clock.seconds_since(origin_ns, event.begin_s) - first_s : 0;
      event.end_s = own.known ? clock.seconds_since(origin_ns, event.end_s) - first_s : 0;
    }
  }

  EventLog log_;
  std::uint32_t n_ranks_ = 0;
  std::int32_t node_rank_ = -1;               ///< RankClock::node_rank of the file that is being read
  std::map<std::int32_t, RankClock> clocks_;  ///< [rank]
  std::map<std::string, std::int32_t> call_index_;
  std::vector<std::vector<std::int32_t>> calls_of_file_;  ///< [file][its call] -> EventLog::calls
  std::vector<StoredChunk> chunks_;
};

}  // namespace

EventLog read_events(const std::string& directory) { return EventMerger().merge(profile_paths(directory)); }

}  // namespace corewise
