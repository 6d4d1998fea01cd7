/// The command line of corewise-workload.
#pragma once

#include <corewise/pgas/run.hpp>
#include <span>
#include <string>

#include "workload.hpp"

namespace corewise::workloads {

/// A command line, read.
struct Command {
  enum class Wish { run, help, list };
  Wish wish = Wish::run;
  const Workload* workload = nullptr;
  Settings settings;
  pgas::Options threads;
  int repeats = 1;
  bool header = true;
};

/// @throws InputError naming what was found.
[[nodiscard]] Command read_command(std::span<const char* const> arguments);

/// What --help prints.
[[nodiscard]] std::string help();

}  // namespace corewise::workloads
