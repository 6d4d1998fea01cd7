// Measures the operations in the table of the GMT paper; see README.md here.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "corewise/pgas/pgas.hpp"
#include "fiber_switch.hpp"
#include "plain_messages.hpp"
#include "spread.hpp"

namespace {

namespace pgas = corewise::pgas;

constexpr std::size_t n_elements = 1 << 16;  // elements (long) of each node's block
constexpr std::size_t n_plain_adds = 1 << 23;
constexpr std::size_t buffer_bytes = 64 * 1024;
constexpr int n_repeats = 5;

double time_s(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The minimum of n_repeats runs, because other programs on the machine only ever add time.
double best_s(const std::function<void()>& work) {
  double best = time_s(work);
  for (int i = 1; i < n_repeats; ++i) best = std::min(best, time_s(work));
  return best;
}

void row(const char* what, double value, const char* unit) {
  std::printf("%-44s %10.2f %s\n", what, value, unit);
}

/// Global index of an element of the last node, which is remote if there are two nodes.
std::size_t target(std::size_t i) {
  return static_cast<std::size_t>(pgas::n_nodes() - 1) * n_elements + (spread(i) & (n_elements - 1));
}

void show_operations(pgas::GlobalArray<long> array) {
  constexpr std::size_t n = 20'000;
  const double scale = 1e9 / n;
  row("blocking put", scale * best_s([&] {
                        for (std::size_t i = 0; i < n; ++i) array.put(target(i), 1);
                      }),
      "ns");
  row("blocking get", scale * best_s([&] {
                        for (std::size_t i = 0; i < n; ++i) (void)array.get(target(i));
                      }),
      "ns");
  row("blocking add", scale * best_s([&] {
                        for (std::size_t i = 0; i < n; ++i) array.add(target(i), 1);
                      }),
      "ns");
}

void show_streams(pgas::GlobalArray<long> array) {
  constexpr std::size_t n = 1 << 22;
  static long sink[1024];
  const double scale = n / 1e6;
  row("non-blocking put", scale / best_s([&] {
                            for (std::size_t i = 0; i < n; ++i) array.put_nb(target(i), 1);
                            pgas::wait();
                          }),
      "Mops");
  row("non-blocking get", scale / best_s([&] {
                            for (std::size_t i = 0; i < n; ++i) array.get_nb(target(i), &sink[i % 1024]);
                            pgas::wait();
                          }),
      "Mops");
  row("atomic add", scale / best_s([&] {
                      for (std::size_t i = 0; i < n; ++i) array.add_nb(target(i), 1);
                      pgas::wait();
                    }),
      "Mops");
}

void show_tasks() {
  constexpr std::size_t n_tasks = 1 << 20;
  const int last = pgas::n_nodes() - 1;
  const auto empty = [] { asm volatile(""); };
  row("tasks, spawned one by one", n_tasks / 1e6 / best_s([&] {
                                     for (std::size_t i = 0; i < n_tasks; ++i) pgas::spawn_at(last, empty);
                                     pgas::wait();
                                   }),
      "M/s");
  const auto iteration = [](std::size_t i) { asm volatile("" : : "r"(i)); };
  row("tasks, loop of step 1",
      n_tasks / 1e6 / best_s([&] { pgas::parallel_for(0, n_tasks, iteration, {.chunk = 1}); }), "M/s");
  constexpr std::size_t n_iterations = 1 << 26;
  row("loop iterations, step 64",
      n_iterations / 1e6 / best_s([&] { pgas::parallel_for(0, n_iterations, iteration, {.chunk = 64}); }),
      "M/s");
}

void show_switches() {
  constexpr int n = 1 << 20;
  const double s = best_s([&] {
    pgas::Handle handle;
    for (int k = 0; k < 2; ++k) {
      pgas::spawn(handle, [] {
        for (int i = 0; i < n; ++i) pgas::yield();
      });
    }
    handle.wait();
  });
  row("yield", 1e9 * s / (2.0 * n), "ns");
  double switch_ns = fiber_switch_ns();
  for (int i = 1; i < n_repeats; ++i) switch_ns = std::min(switch_ns, fiber_switch_ns());
  row("switch of fibers", switch_ns, "ns");
}

void show_table(const char* title) {
  std::printf("%s\n", title);
  auto array = pgas::GlobalArray<long>::create(n_elements * static_cast<std::size_t>(pgas::n_nodes()));
  show_operations(array);
  show_streams(array);
  show_tasks();
  show_switches();
  array.destroy();
}

}  // namespace

int main() {
  pgas::Options options;
  options.loopback_nodes = 2;
  options.buffer_bytes = buffer_bytes;
  double plain = 0;
  for (int i = 0; i < n_repeats; ++i)
    plain = std::max(plain, plain_adds_per_us(n_plain_adds, n_elements, buffer_bytes));
  if (plain > 0) row("plain one-way aggregated adds (MPI)", plain, "Mops");
  std::fflush(stdout);
  const int status =
      pgas::run(options, [] { show_table(pgas::n_nodes() == 1 ? "one node" : "two nodes, by messages"); });
  finish_plain_messages();
  return status;
}
