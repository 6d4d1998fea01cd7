/// read_events: chunks of all files, requests completed, messages matched.
#include "corewise/events.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "corewise/error.hpp"
#include "text.hpp"
#include "traffic/chunk_reader.hpp"
#include "traffic/event_records.hpp"
#include "traffic/profile_file.hpp"

namespace corewise {
namespace {

constexpr std::size_t kMostEvents = std::size_t{1} << 25;

/// a - b of times since 1970, also of a damaged file, where that is any number.
double ns_between(std::int64_t a, std::int64_t b) {
  return static_cast<double>(
      static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)));
}

/// How ticks of one rank become seconds: through its records of clocks, else by its node's clock.
struct RankClock {
  cw_profile_rank record{};
  std::vector<cw_profile_clock> readings;
  bool known = false;
  std::int32_t node_rank = -1;  ///< first rank of its file: all ranks of a node read the same clock

  /// Seconds since `origin_ns` (since 1970). An integer, because a double holds such times to 0.24 us.
  [[nodiscard]] double seconds_since(std::int64_t origin_ns, double ticks) const {
    double at_ticks = static_cast<double>(record.begin_ticks);
    double at_ns = ns_between(record.begin_unix_ns, origin_ns);
    double ns_per_tick = 1e9 / record.ticks_per_s;
    if (!readings.empty()) {
      const cw_profile_clock& first = readings.front();
      const cw_profile_clock& last = readings.back();
      at_ticks = static_cast<double>(first.ticks);
      at_ns = ns_between(first.reference_ns, origin_ns);
      const double between = static_cast<double>(last.ticks) - at_ticks;
      if (between > 0) ns_per_tick = ns_between(last.reference_ns, first.reference_ns) / between;
    }
    return (at_ns + (ticks - at_ticks) * ns_per_tick) * 1e-9;
  }
};

class EventMerger {
 public:
  EventLog merge(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) read_file(path);
    set_times();
    const std::vector<std::size_t> place_of = sort_events();
    complete_requests(place_of);
    match_messages();
    return std::move(log_);
  }

 private:
  struct Completion {
    std::int32_t rank;
    CompletionRecord record;  ///< its event is an index into EventLog::events
  };

  void read_file(const std::string& path) {
    ChunkReader chunks(path);
    const cw_profile_header& header = chunks.header();
    if (n_ranks_ == 0) n_ranks_ = header.n_ranks;
    if (n_ranks_ != header.n_ranks) {
      throw Error(ErrorCode::bad_input,
                  concat(path, ": of a job of ", header.n_ranks, " ranks, beside files of ", n_ranks_,
                         "; expected the files of one job"));
    }
    ++n_nodes_;
    node_rank_ = -1;
    std::vector<std::int32_t> call_of;
    for (const cw_profile_call& call : chunks.calls()) call_of.push_back(add_call(call));
    for (ChunkFound found = chunks.next(); found != ChunkFound::end; found = chunks.next()) {
      const cw_profile_chunk& chunk = chunks.chunk();
      if (found == ChunkFound::damaged || chunk.rank < 0 || chunk.rank >= std::int64_t{n_ranks_}) continue;
      if (chunk.kind == CW_CHUNK_RANK) read_rank(chunks.content(), chunk.rank);
      if (chunk.kind == CW_CHUNK_CLOCKS) read_clocks(chunks.content(), chunk);
      if (chunk.kind == CW_CHUNK_EVENTS) read_chunk(chunks.content(), chunk, call_of);
    }
  }

  std::int32_t add_call(const cw_profile_call& call) {
    const std::string name(call.name, strnlen(call.name, sizeof call.name));
    const auto next = static_cast<std::int32_t>(log_.calls.size());
    const auto [at, is_new] = call_index_.try_emplace(name, next);
    if (is_new)
      log_.calls.push_back({name, call.layer <= CW_LAYER_IO ? static_cast<Layer>(call.layer) : Layer::p2p});
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

  void read_chunk(const Content& content, const cw_profile_chunk& chunk,
                  const std::vector<std::int32_t>& call_of) {
    const DecodedEvents decoded =
        decode_events(content.at<cw_profile_events>(0), content.from(sizeof(cw_profile_events)));
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
    }
    for (const CompletionRecord& done : decoded.completions) {
      if (first + done.event >= log_.events.size()) break;
      completions_.push_back({chunk.rank, done});
      completions_.back().record.event += first;
    }
    log_.n_damaged += damaged ? 1 : 0;
  }

  static Event event_of(const EventRecord& record, const cw_profile_chunk& chunk, std::int32_t call) {
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
    event.request = record.request;
    const auto is = [&](cw_profile_event_flag flag) { return (record.flags & flag) != 0; };
    event.sends = is(CW_EVENT_SENDS);
    event.receives = is(CW_EVENT_RECEIVES);
    event.collective = is(CW_EVENT_COLLECTIVE);
    event.starts = is(CW_EVENT_STARTS);
    event.part = is(CW_EVENT_PART);
    event.failed = is(CW_EVENT_FAILED);
    return event;
  }

  /// From ticks to seconds since the first rank's begin.
  void set_times() {
    std::int64_t origin_ns = std::numeric_limits<std::int64_t>::max();
    log_.clocks_aligned = true;
    for (const auto& [rank, clock] : clocks_) {
      if (!clock.known) continue;
      origin_ns = std::min(origin_ns, clock.record.begin_unix_ns);
      log_.clocks_aligned = log_.clocks_aligned && (n_nodes_ == 1 || !clock.readings.empty());
    }
    double first_s = std::numeric_limits<double>::infinity();
    for (const auto& [rank, clock] : clocks_) {
      if (!clock.known) continue;
      const auto begin_ticks = static_cast<double>(clock.record.begin_ticks);
      first_s = std::min(first_s, clock_of(clock).seconds_since(origin_ns, begin_ticks));
    }
    for (Event& event : log_.events) {
      const RankClock& own = clocks_[raw(event.rank)];
      const RankClock& clock = clock_of(own);
      event.begin_s = own.known ? clock.seconds_since(origin_ns, event.begin_s) - first_s : 0;
      event.end_s = own.known ? clock.seconds_since(origin_ns, event.end_s) - first_s : 0;
    }
  }

  [[nodiscard]] const RankClock& clock_of(const RankClock& own) const {
    return own.readings.empty() && own.known ? clocks_.at(own.node_rank) : own;
  }

  /// Sorted by rank, thread and time; a part stays behind its event. Returns where each event went.
  std::vector<std::size_t> sort_events() {
    std::vector<std::size_t> order(log_.events.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [&](std::size_t i) {
      const Event& event = log_.events[i];
      return std::tuple(raw(event.rank), event.thread, event.begin_s);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    std::vector<Event> sorted;
    std::vector<std::size_t> place_of(order.size());
    for (const std::size_t i : order) {
      place_of[i] = sorted.size();
      sorted.push_back(log_.events[i]);
    }
    log_.events = std::move(sorted);
    return place_of;
  }

  void complete_requests(const std::vector<std::size_t>& place_of) {
    std::map<std::pair<std::int32_t, std::uint64_t>, std::size_t> started;  // rank, request
    for (std::size_t i = 0; i < log_.events.size(); ++i) {
      if (log_.events[i].starts) started.try_emplace({raw(log_.events[i].rank), log_.events[i].request}, i);
    }
    for (const auto& [rank, done] : completions_) {
      const auto start = started.find({rank, done.request});
      if (start == started.end()) continue;
      Event& event = log_.events[start->second];
      event.completed_by = static_cast<std::int64_t>(place_of[done.event]);
      if (done.cancelled) event.sends = event.receives = false;
      if (!done.has_status || !event.receives) continue;
      const bool in_world = done.source >= 0 && done.source < std::int64_t{n_ranks_};
      event.peer = in_world ? static_cast<std::int32_t>(done.source) : -1;
      event.tag = done.tag;
      event.bytes = done.bytes;
    }
  }

  /// MPI keeps the order of messages between two ranks with one communicator and tag, in the order in which
  /// sends and receives are posted (MPI 4.0, 3.5). A rank that receives by matched probes is left out: the
  /// file does not say which messages MPI_Mrecv took.
  void match_messages() {
    using Key = std::tuple<std::int32_t, std::int32_t, std::uint64_t, std::int64_t>;  // src, dst, comm, tag
    std::map<Key, std::vector<std::size_t>> sends;
    std::map<Key, std::vector<std::size_t>> receives;
    std::set<std::int32_t> take_unknown_messages;
    std::vector<std::size_t> posted(log_.events.size());
    for (std::size_t i = 0; i < posted.size(); ++i) posted[i] = i;
    std::stable_sort(posted.begin(), posted.end(), [&](std::size_t a, std::size_t b) {
      return log_.events[a].begin_s < log_.events[b].begin_s;
    });
    for (const std::size_t i : posted) {
      const Event& event = log_.events[i];
      const CallInfo& call = log_.calls[static_cast<std::size_t>(event.call)];
      const bool p2p = call.layer == Layer::p2p;
      if (call.name == "MPI_Mrecv" || call.name == "MPI_Imrecv")
        take_unknown_messages.insert(raw(event.rank));
      if (!p2p || event.failed || event.peer < 0) continue;
      if (event.sends) sends[{raw(event.rank), event.peer, event.comm, event.tag}].push_back(i);
      const bool done = !event.starts || event.completed_by >= 0;
      if (event.receives && done) receives[{event.peer, raw(event.rank), event.comm, event.tag}].push_back(i);
    }
    for (const auto& [key, sent] : sends) {
      const auto received = receives.find(key);
      if (received == receives.end() || take_unknown_messages.contains(std::get<1>(key))) continue;
      for (std::size_t k = 0; k < std::min(sent.size(), received->second.size()); ++k) {
        log_.events[sent[k]].matches = static_cast<std::int64_t>(received->second[k]);
        log_.events[received->second[k]].matches = static_cast<std::int64_t>(sent[k]);
      }
    }
  }

  EventLog log_;
  std::uint32_t n_ranks_ = 0;
  std::size_t n_nodes_ = 0;                   ///< files read
  std::int32_t node_rank_ = -1;               ///< of the file that is being read
  std::map<std::int32_t, RankClock> clocks_;  ///< of the ranks that have a record of any kind
  std::map<std::string, std::int32_t> call_index_;
  std::vector<Completion> completions_;
};

}  // namespace

EventLog read_events(const std::string& directory) { return EventMerger().merge(profile_paths(directory)); }

}  // namespace corewise
