// corewise-workload: runs a registered workload on the runtime and prints its times as CSV.
#include <corewise/pgas/pgas.hpp>
#include <iostream>
#include <vector>

#include "kernels/input_error.hpp"
#include "options.hpp"

namespace {

namespace pgas = corewise::pgas;
using namespace corewise::workloads;

void list() {
  for (const Workload& row : workloads()) {
    std::cout << row.name << "  (--scale " << row.default_scale << ")\n    " << row.sentence << "\n";
  }
}

/// The root task.
void measure(const Command& command) {
  const Workload& workload = *command.workload;
  if (command.header) {
    std::cout << "workload,policy,processes,threads,workers,helpers,size,unit,seconds,result" << std::endl;
  }
  const auto print_row = [&](double seconds, std::uint64_t size, const std::string& result) {
    const pgas::Threads threads = pgas::threads();
    std::cout << workload.name << ',' << threads.policy << ',' << pgas::n_nodes() << ',' << threads.total
              << ',' << threads.workers << ',' << threads.helpers << ',' << size << ',' << workload.unit
              << ',' << seconds << ',' << result << std::endl;
  };
  workload.run(command.settings, Measure(command.repeats, print_row));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<const char*> arguments(argv + 1, argv + argc);
  try {
    const Command command = parse_command(arguments);
    switch (command.action) {
      case Command::Action::help:
        std::cout << help();
        return 0;
      case Command::Action::list:
        list();
        return 0;
      case Command::Action::run:
        return pgas::run(command.threads, [&command] { measure(command); });
    }
  } catch (const InputError& error) {
    std::cerr << std::string("corewise-workload: ") + error.what() + "\n";
    return 2;
  }
}
