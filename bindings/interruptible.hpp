/// Long work of the core that Ctrl-C ends.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <future>
#include <stop_token>

namespace corewise::bindings {

/// Runs `work(stop)` on another thread, while this one lets Python handle its signals. If a handler raises,
/// as for Ctrl-C, requests a stop, and passes the exception on as soon as the work has ended.
template <typename Work>
auto interruptible(Work&& work) {
  constexpr std::chrono::milliseconds signals_handled_every(50);
  std::stop_source source;
  auto found = std::async(std::launch::async, [&] { return work(source.get_token()); });
  const auto has_ended = [&] {
    const nanobind::gil_scoped_release others_run;
    return found.wait_for(signals_handled_every) == std::future_status::ready;
  };
  while (!has_ended()) {
    if (PyErr_CheckSignals() == 0) continue;
    source.request_stop();
    throw nanobind::python_error();  // the destructor of `found` waits for the work
  }
  return found.get();
}

}  // namespace corewise::bindings
