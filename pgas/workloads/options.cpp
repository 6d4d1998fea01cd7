// Parses the command line of corewise-workload.
#include "options.hpp"

#include <charconv>
#include <string_view>

#include "kernels/input_error.hpp"

namespace corewise::workloads {
namespace {

/// One option of the command line.
struct Option {
  std::string_view name;
  std::string_view value;  ///< name of its value in --help; empty: it takes none
  std::string_view sentence;
  void (*apply)(Command&, std::string_view value);
};

template <class Number>
Number number(std::string_view option, std::string_view text, Number least) {
  Number value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size() || !(value >= least)) {
    throw InputError(std::string(option) + ": found \"" + std::string(text) + "\", expected a number from " +
                     std::to_string(least) + " up");
  }
  return value;
}

double scale_of(std::string_view text) {
  const auto scale = number("--scale", text, 0.0);
  if (scale == 0 || scale > 16)
    throw InputError("--scale: found " + std::string(text) + ", expected 0 < scale <= 16");
  return scale;
}

constexpr Option table[] = {
    {"--scale", "S", "input size relative to the paper's; --list shows the defaults",
     [](Command& c, std::string_view v) { c.settings.scale = scale_of(v); }},
    {"--input", "FILE", "read the graph from a file of SNAP's format: src dst, for motifs src dst time",
     [](Command& c, std::string_view v) { c.settings.input = std::string(v); }},
    {"--skip-lines", "N", "lines at the start of the file to skip, such as a header",
     [](Command& c, std::string_view v) {
       c.settings.skip_lines = number("--skip-lines", v, std::uint64_t{0});
     }},
    {"--pattern", "EDGES", "count this motif instead: its edges in the order of time, such as 01,12,20",
     [](Command& c, std::string_view v) { c.settings.pattern = Pattern(v); }},
    {"--delta", "SECONDS", "longest time between a motif's first and last edge (86400)",
     [](Command& c, std::string_view v) { c.settings.delta_s = number("--delta", v, std::int64_t{0}); }},
    {"--seed", "K", "seed of the generated input (1)",
     [](Command& c, std::string_view v) { c.settings.seed = number("--seed", v, std::uint64_t{0}); }},
    {"--repeats", "N", "number of measurements, one row of CSV each (1)",
     [](Command& c, std::string_view v) { c.repeats = number("--repeats", v, 1); }},
    {"--policy", "NAME", "thread policy of libcorewise-affinity, see corewise-affinity(7)",
     [](Command& c, std::string_view v) { c.threads.policy = std::string(v); }},
    {"--workers", "N", "threads of a process that run tasks",
     [](Command& c, std::string_view v) { c.threads.workers = number("--workers", v, 0); }},
    {"--helpers", "N", "threads of a process that serve the other processes",
     [](Command& c, std::string_view v) { c.threads.helpers = number("--helpers", v, 0); }},
    {"--nodes", "N", "processes to emulate where the program is built without MPI (1)",
     [](Command& c, std::string_view v) { c.threads.loopback_nodes = number("--nodes", v, 1); }},
    {"--print-threads", "", "print each process's threads and where they run to standard error",
     [](Command& c, std::string_view) { c.threads.print_threads = true; }},
    {"--no-header", "", "rows only", [](Command& c, std::string_view) { c.header = false; }},
    {"--list", "", "list the workloads",
     [](Command& c, std::string_view) { c.action = Command::Action::list; }},
    {"--help", "", "print this", [](Command& c, std::string_view) { c.action = Command::Action::help; }},
};

const Option& option(std::string_view name) {
  for (const Option& row : table) {
    if (row.name == name) return row;
  }
  throw InputError("found \"" + std::string(name) +
                   "\", expected a workload and its options (--help lists them)");
}

void check(const Command& command) {
  if (command.action != Command::Action::run) return;
  if (command.workload == nullptr) throw InputError("found no workload; expected one (--list names them)");
  if (command.settings.input && !command.workload->reads_input) {
    throw InputError("--input: " + std::string(command.workload->name) + " reads no file");
  }
}

}  // namespace

Command parse_command(std::span<const char* const> arguments) {
  Command command;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with("-") && command.workload == nullptr) {
      command.workload = &workload(argument);
      continue;
    }
    const Option& known = option(argument);
    if (!known.value.empty() && i + 1 == arguments.size()) {
      throw InputError(std::string(argument) + " is the last word; expected a value after it");
    }
    known.apply(command, known.value.empty() ? "" : arguments[++i]);
  }
  check(command);
  if (command.workload != nullptr && command.settings.scale == 0) {
    command.settings.scale = command.workload->default_scale;
  }
  return command;
}

std::string help() {
  std::string text =
      "usage: corewise-workload NAME [options]\n\n"
      "Runs one of the affinity paper's workloads on the runtime and prints CSV: one row for each "
      "repeat.\n\n";
  for (const Option& row : table) {
    std::string left = "  " + std::string(row.name) + " " + std::string(row.value);
    left.resize(24, ' ');
    text += left + std::string(row.sentence) + "\n";
  }
  return text + "\nExample:  mpirun -n 2 corewise-workload triangles --scale 0.01 --repeats 5\n";
}

}  // namespace corewise::workloads
