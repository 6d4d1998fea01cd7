/// Decoding of chunks of events.
#pragma once

#include <corewise_formats/profile.h>

#include <cstdint>
#include <span>
#include <vector>

namespace corewise {

/// One event as stored in its chunk. Times are in ticks of the rank's clock.
struct EventRecord {
  std::uint64_t call = 0;
  std::uint64_t flags = 0;  ///< cw_profile_event_flag
  std::int64_t peer = -1;
  std::int64_t tag = 0;
  std::uint64_t comm = 0;
  std::uint64_t bytes = 0;
  double begin_ticks = 0;
  double end_ticks = 0;
  std::uint64_t request = 0;
};

/// The completion of a request.
struct CompletionRecord {
  std::size_t event = 0;  ///< index in the chunk of the event that completed it
  std::uint64_t request = 0;
  bool has_status = false;
  bool cancelled = false;
  std::int64_t source = -1;
  std::int64_t tag = 0;
  std::uint64_t bytes = 0;
};

struct DecodedEvents {
  std::vector<EventRecord> events;
  std::vector<CompletionRecord> completions;
  bool damaged = false;  ///< a damaged record ended the decoding early
};

/// Decodes the events of one chunk up to the first damaged record. @param records  the bytes after `head`
[[nodiscard]] DecodedEvents decode_events(const cw_profile_events& head,
                                          std::span<const std::uint8_t> records);

}  // namespace corewise
