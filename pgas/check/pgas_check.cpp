// Checks the runtime on this machine, with this MPI and number of processes, by totals that are known
// exactly. With the argument `hold` it then runs forever, for tests that kill one of its processes.
#include <cstdio>
#include <cstring>
#include <string>

#include "corewise/pgas/pgas.hpp"

namespace {

namespace pgas = corewise::pgas;

void expect(const char* what, long found, long wanted) {
  if (found == wanted) return;
  throw pgas::Error(std::string(what) + ": found " + std::to_string(found) + ", expected " +
                    std::to_string(wanted));
}

long sum_of(pgas::GlobalArray<long> array) {
  return pgas::parallel_reduce(
      0, array.size(), 0L,
      [array](std::size_t first, std::size_t last) {
        long sum = 0;
        for (std::size_t i = first; i < last; ++i) sum += array.get(i);
        return sum;
      },
      std::plus<long>{});
}

/// Every node adds to every element, with all kinds of operations at the same time.
void check_atomics() {
  constexpr std::size_t n_elements = 1000;
  constexpr std::size_t n_adds = 200'000;
  const long nodes = pgas::n_nodes();
  auto counters = pgas::GlobalArray<long>::create(n_elements);
  pgas::on_all([counters] {
    pgas::parallel_for_here(0, n_adds, [counters](std::size_t i) { counters.add_nb(i % n_elements, 1); });
  });
  expect("non-blocking adds", sum_of(counters), nodes * static_cast<long>(n_adds));

  counters.fill(0);
  pgas::on_all([counters] {
    pgas::parallel_for_here(0, 2000, [counters](std::size_t i) { counters.fetch_add(i % 3, 1); });
  });
  expect("fetch-and-adds", sum_of(counters), nodes * 2000);

  counters.fill(0);
  pgas::on_all([counters] {
    pgas::parallel_for_here(0, 200, [counters](std::size_t i) {
      const std::size_t at = n_elements - 1 - i % 2;
      long seen = 0;
      for (;;) {
        const long before = counters.compare_exchange(at, seen, seen + 1);
        if (before == seen) break;
        seen = before;
      }
    });
  });
  expect("compare-and-swaps", sum_of(counters), nodes * 200);
  counters.destroy();
}

void check_puts_and_gets() {
  constexpr std::size_t n = 100'000;
  auto array = pgas::GlobalArray<long>::create(n);
  pgas::parallel_for(0, n, [array](std::size_t i) { array.put_nb(n - 1 - i, static_cast<long>(i)); });
  std::vector<long> all(n);
  array.get(0, all);
  for (std::size_t i = 0; i < n; ++i) expect("bulk get", all[i], static_cast<long>(n - 1 - i));
  pgas::Handle handle;
  std::vector<long> some(n / 100);
  for (std::size_t k = 0; k < some.size(); ++k) array.get_nb(handle, 100 * k, &some[k]);
  handle.wait();
  for (std::size_t k = 0; k < some.size(); ++k)
    expect("non-blocking get", some[k], static_cast<long>(n - 1 - 100 * k));
  array.destroy();
}

void check_maps() {
  constexpr int n_keys = 500;
  auto graph = pgas::HashMultimap<int, int>::create(n_keys);
  pgas::parallel_for(0, 20 * n_keys, [graph](std::size_t i) {
    graph.insert_nb(static_cast<int>(i % n_keys), static_cast<int>(i));
  });
  expect("keys", static_cast<long>(graph.size()), n_keys);
  auto values = pgas::GlobalArray<long>::create(1);
  graph.for_each(
      [values](int, const std::vector<int>& found) { values.add(0, static_cast<long>(found.size())); });
  expect("values", values.get(0), 20 * n_keys);
  values.destroy();
  graph.destroy();
}

[[noreturn]] void hold() {
  std::printf("holding\n");
  std::fflush(stdout);
  for (;;) pgas::call_at(pgas::n_nodes() - 1, [] { pgas::yield(); });
}

}  // namespace

int main(int argc, char** argv) {
  const bool holds = argc > 1 && std::strcmp(argv[1], "hold") == 0;
  pgas::Options options;
  options.loopback_nodes = 2;
  options.timeout_s = 20;
  return pgas::run(options, [holds] {
    check_atomics();
    check_puts_and_gets();
    check_maps();
    std::printf("pgas-check: all totals are exact on %d nodes of %d workers\n", pgas::n_nodes(),
                pgas::n_workers());
    if (holds) hold();
  });
}
