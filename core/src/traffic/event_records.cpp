/// Decodes records of events (FORMATS.md, "Events"). They may be forged, so every number is checked.
#include "traffic/event_records.hpp"

#include <cmath>

#include "traffic/varint.hpp"

namespace corewise {
namespace {

class EventDecoder {
 public:
  EventDecoder(const cw_profile_events& head, std::span<const std::uint8_t> records)
      : reader_(records.first(head.used_bytes)),
        last_end_(head.begin_ticks),
        tick_(std::ldexp(1.0, static_cast<int>(head.shift))) {}

  DecodedEvents run() {
    while (!reader_.at_end()) {
      const std::uint64_t h = reader_.next();
      const bool sound = h == 0 ? add_shape() : add_event((h - 1) / 4, (h - 1) % 4);
      if (!sound || !reader_.ok()) {
        found_.damaged = true;
        break;
      }
    }
    return std::move(found_);
  }

 private:
  bool add_shape() {
    EventRecord shape;
    shape.call = reader_.next();
    shape.flags = reader_.next();
    shape.peer = reader_.next_signed();
    shape.tag = reader_.next_signed();
    shape.comm = reader_.next();
    shape.bytes = reader_.next();
    shapes_.push_back(shape);
    return true;
  }

  bool add_event(std::uint64_t shape, std::uint64_t own) {
    if (shape >= shapes_.size()) return false;
    EventRecord event = shapes_[shape];
    if ((own & 1) != 0) event.bytes = reader_.next();
    if ((own & 2) != 0) event.tag = reader_.next_signed();
    if (!set_times(event)) return false;
    if ((event.flags & CW_EVENT_STARTS) != 0) {
      event.request = last_request_ += static_cast<std::uint64_t>(reader_.next_signed());
    }
    const std::size_t n_completions = found_.completions.size();
    if ((event.flags & CW_EVENT_COMPLETES) != 0) add_completions();
    if (!reader_.ok()) {
      found_.completions.resize(n_completions);  // drops the incomplete event
      return false;
    }
    found_.events.push_back(event);
    return true;
  }

  bool set_times(EventRecord& event) {
    if ((event.flags & CW_EVENT_PART) != 0) {
      if (found_.events.empty()) return false;
      event.begin_ticks = found_.events.back().begin_ticks;
      event.end_ticks = found_.events.back().end_ticks;
      return true;
    }
    const std::uint64_t begin = last_end_ + reader_.next();
    last_end_ = begin + reader_.next();
    event.begin_ticks = static_cast<double>(begin) * tick_;
    event.end_ticks = static_cast<double>(last_end_) * tick_;
    return true;
  }

  void add_completions() {
    const std::uint64_t n = reader_.next();
    for (std::uint64_t i = 0; i < n && reader_.ok(); ++i) {
      const std::uint64_t packed = reader_.next();
      const std::uint64_t step = packed / 4;
      last_request_ += (step >> 1) ^ (~(step & 1) + 1);
      CompletionRecord done;
      done.event = found_.events.size();
      done.request = last_request_;
      done.has_status = (packed & CW_COMPLETION_STATUS) != 0;
      done.cancelled = (packed & CW_COMPLETION_CANCELLED) != 0;
      if (done.has_status) {
        done.source = reader_.next_signed();
        done.tag = reader_.next_signed();
        done.bytes = reader_.next();
      }
      found_.completions.push_back(done);
    }
  }

  VarintReader reader_;
  std::uint64_t last_end_;  ///< in ticks >> shift
  double tick_;             ///< ticks per time unit of this chunk
  std::uint64_t last_request_ = 0;
  std::vector<EventRecord> shapes_;
  DecodedEvents found_;
};

}  // namespace

DecodedEvents decode_events(const cw_profile_events& head, std::span<const std::uint8_t> records) {
  if (head.used_bytes > records.size() || head.shift > 32) return {{}, {}, true};
  return EventDecoder(head, records).run();
}

}  // namespace corewise
