/// How another thread ends long work of the core.
#pragma once

#include <exception>
#include <stop_token>

namespace corewise {

/// Ends work whose stop was requested: nobody waits for its result.
class Stopped : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the work was stopped"; }
};

/// @throws Stopped once a stop was requested.
inline void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Stopped();
}

}  // namespace corewise
