/// CPU time of this process, and a solver's deadline in CPU time.
#pragma once

#include <ctime>
#include <optional>
#include <utility>

#include "corewise/stop.hpp"

namespace corewise {

/// CPU seconds that this process has used so far, all threads together.
[[nodiscard]] inline double process_cpu_s() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A limit of CPU time, counted from construction of this object.
/// passed() reads the clock, which takes about 0.3 us: call it once per hundreds of steps.
class Deadline {
 public:
  explicit Deadline(std::optional<double> cpu_s, std::stop_token stop = {}) : stop_(std::move(stop)) {
    if (cpu_s) end_cpu_s_ = process_cpu_s() + *cpu_s;
  }
  /// @throws Stopped once a stop was requested.
  [[nodiscard]] bool passed() const {
    check_stop();
    return end_cpu_s_ && process_cpu_s() >= *end_cpu_s_;
  }
  /// For a set-up that no deadline ends; call it between steps. @throws Stopped once a stop was requested.
  void check_stop() const { corewise::check_stop(stop_); }

 private:
  std::optional<double> end_cpu_s_;
  std::stop_token stop_;
};

}  // namespace corewise
