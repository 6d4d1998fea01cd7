/// A workload: its row in the register, its settings, and how its time is measured.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/motif.hpp"

namespace corewise::workloads {

struct Settings {
  double scale = 0;                  ///< size of the input relative to the paper's
  std::uint64_t seed = 1;            ///< of generated input
  std::optional<std::string> input;  ///< file to read instead of generating input
  std::uint64_t skip_lines = 0;      ///< lines at the start of the file that are not edges
  std::int64_t delta_s = 24 * 3600;  ///< longest time between a motif's first and last edge
  std::optional<Pattern> pattern;    ///< pattern to count instead of the workload's own

  /// The paper's size times `scale`, at least 1.
  [[nodiscard]] std::uint64_t scaled(double paper_size) const;
};

/// Measures the time of the work, without generating or reading the input.
class Measure {
 public:
  /// Called after each repeat: the time of the work, its size, its result.
  using Report = std::function<void(double seconds, std::uint64_t size, const std::string& result)>;

  Measure(int repeats, Report report) : repeats_(repeats), report_(std::move(report)) {}

  /// Runs work() `repeats` times and reports each run. `size` is in the workload's unit; work() returns its
  /// result as text.
  void operator()(std::uint64_t size, const std::function<std::string()>& work) const;

 private:
  int repeats_;
  Report report_;
};

/// One row of the register.
struct Workload {
  std::string_view name;
  std::string_view sentence;  ///< for --list
  std::string_view unit;      ///< of `size`
  double default_scale;       ///< takes about a second or less on two cores
  bool reads_input;           ///< can it read a file instead of generating input?
  /// The root task: gets the input, passes the work to Measure, frees the input.
  /// @throws InputError if the input can't be read.
  void (*run)(const Settings&, const Measure&);
};

/// All workloads, sorted by name.
[[nodiscard]] std::span<const Workload> workloads();
/// The workload with this name. @throws InputError with the list of names if there is none.
[[nodiscard]] const Workload& workload(std::string_view name);

void run_black_scholes(const Settings&, const Measure&);
void run_motif_1(const Settings&, const Measure&);
void run_motif_2(const Settings&, const Measure&);
void run_motif_5(const Settings&, const Measure&);
void run_pi(const Settings&, const Measure&);
void run_triangles(const Settings&, const Measure&);

}  // namespace corewise::workloads
