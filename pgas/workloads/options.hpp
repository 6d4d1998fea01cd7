/// The command line of corewise-workload.
#pragma once

#include <corewise/pgas/run.hpp>
#include <span>
#include <string>

#include "workload.hpp"

namespace corewise::workloads {

/// A parsed command line.
struct Command {
  enum class Action { run, help, list };
  Action action = Action::run;
  const Workload* workload = nullptr;
  Settings settings;
  pgas::Options threads;
  int repeats = 1;
  bool header = true;
};

/// @param arguments without the program's name.
/// @throws InputError if an argument is invalid.
[[nodiscard]] Command parse_command(std::span<const char* const> arguments);

/// The text of --help.
[[nodiscard]] std::string help();

}  // namespace corewise::workloads
