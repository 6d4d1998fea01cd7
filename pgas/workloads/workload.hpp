/// What a workload of the runtime is: a row of the register, the settings it gets, the samples it reports.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/motif.hpp"

namespace corewise::workloads {

/// What the command line asked for.
struct Settings {
  double scale = 0;  ///< of the paper's size, which is 1
  std::uint64_t seed = 1;
  std::optional<std::string> input;  ///< a file instead of a generated input
  std::uint64_t skip_lines = 0;      ///< of the input
  std::int64_t delta_s = 24 * 3600;  ///< of motifs
  std::optional<Pattern> pattern;    ///< instead of the motif's own

  /// The paper's size times `scale`, at least 1.
  [[nodiscard]] std::uint64_t scaled(double paper_size) const;
};

/// Times the work itself, generating or reading the input aside.
class Measure {
 public:
  /// Called for each repeat with the work's seconds and its result.
  using Report = std::function<void(double seconds, std::uint64_t size, const std::string& result)>;

  Measure(int repeats, Report report) : repeats_(repeats), report_(std::move(report)) {}

  /// Runs work(), which returns the result as text, `repeats` times; `size` is in the workload's unit.
  void operator()(std::uint64_t size, const std::function<std::string()>& work) const;

 private:
  int repeats_;
  Report report_;
};

/// One row of the register.
struct Workload {
  std::string_view name;
  std::string_view sentence;
  std::string_view unit;  ///< what `size` counts
  double default_scale;   ///< about a second or less on two cores
  bool reads_input;
  /// The root task: makes the input, measures, frees it. @throws InputError.
  void (*run)(const Settings&, const Measure&);
};

/// All workloads, sorted by name.
[[nodiscard]] std::span<const Workload> workloads();
/// @throws InputError with the names there are.
[[nodiscard]] const Workload& workload(std::string_view name);

void run_black_scholes(const Settings&, const Measure&);
void run_motif_1(const Settings&, const Measure&);
void run_motif_2(const Settings&, const Measure&);
void run_motif_5(const Settings&, const Measure&);
void run_pi(const Settings&, const Measure&);
void run_triangles(const Settings&, const Measure&);

}  // namespace corewise::workloads
