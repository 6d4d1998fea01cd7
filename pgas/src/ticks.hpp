// A clock that takes a few ns to read. The length of a tick is only roughly known.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

namespace corewise::pgas::detail {

#if defined(__x86_64__)
/// Time stamp counter: 1 to 5 ticks per ns on machines of the last 15 years.
inline std::uint64_t ticks() { return __builtin_ia32_rdtsc(); }
inline void pause() { __builtin_ia32_pause(); }
#else
inline std::uint64_t ticks() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
inline void pause() { std::this_thread::yield(); }
#endif

/// Time between two calls for network progress in a long loop: 20 to 100 us.
inline constexpr std::uint64_t ticks_between_progress = 100'000;

}  // namespace corewise::pgas::detail
