/// Turns transfers in steps into actions; small functions of schedule.hpp.
#include "estimate/step_actions.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "corewise/error.hpp"
#include "text.hpp"

namespace corewise {
namespace {

constexpr std::size_t kMostMessages = std::size_t{1} << 26;

using ActionsOf = std::function<std::vector<Action>&(std::size_t)>;

void add_step(std::span<const Transfer> step, std::int32_t first_message, std::int32_t call,
              const ActionsOf& actions_of) {
  const auto add = [&](Action::Kind kind, bool to_receiver) {
    std::int32_t message = first_message;
    for (const Transfer& transfer : step) {
      const std::int32_t member = to_receiver ? transfer.dst : transfer.src;
      actions_of(static_cast<std::size_t>(member)).push_back({kind, call, message++, 0});
    }
  };
  add(Action::Kind::receive, true);
  add(Action::Kind::send, false);
  add(Action::Kind::wait_sent, false);
  add(Action::Kind::wait_received, true);
}

}  // namespace

MpiLibrary mpi_library_named(std::string_view name) {
  static constexpr std::array<std::string_view, 2> kNames{"mpich", "openmpi"};
  if (name == "openmpi") return MpiLibrary::openmpi;
  if (name == "mpich") return MpiLibrary::mpich;
  throw Error(ErrorCode::bad_input,
              concat("there are no rules of an MPI library '", name, "'", did_you_mean(name, kNames)));
}

Schedule with_compute_scaled(Schedule schedule, double factor) {
  for (Process& process : schedule.processes) {
    for (Action& action : process.actions) action.compute_s *= factor;
  }
  return schedule;
}

void add_step_actions(Schedule& schedule, std::vector<Transfer> transfers, std::span<const Rank> ranks,
                      std::int32_t call, const ActionsOf& actions_of) {
  if (schedule.messages.size() + transfers.size() > kMostMessages) {
    throw Error(
        ErrorCode::unsupported,
        "more than 2^26 messages; expected fewer: estimate from a shorter run, or one of fewer ranks");
  }
  std::ranges::stable_sort(transfers, {}, &Transfer::step);
  for (std::size_t begin = 0; begin < transfers.size();) {
    std::size_t end = begin;
    while (end < transfers.size() && transfers[end].step == transfers[begin].step) ++end;
    const std::span<const Transfer> step = std::span(transfers).subspan(begin, end - begin);
    add_step(step, static_cast<std::int32_t>(schedule.messages.size()), call, actions_of);
    for (const Transfer& transfer : step) {
      schedule.messages.push_back({ranks[static_cast<std::size_t>(transfer.src)],
                                   ranks[static_cast<std::size_t>(transfer.dst)], transfer.bytes});
    }
    begin = end;
  }
}

}  // namespace corewise
