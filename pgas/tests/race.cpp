// A program with a data race between tasks of two nodes, to test that ThreadSanitizer detects races in
// fibers.
#include <atomic>
#include <cstdio>

#include "corewise/pgas/pgas.hpp"

namespace {

namespace pgas = corewise::pgas;

struct Shared {
  std::atomic<int> n_arrived{0};
  int count = 0;  // not atomic: this is the race
};

/// Both nodes increment the count in each round. They wait for each other with a relaxed atomic, which does
/// not order the increments.
void race(Shared& shared) {
  for (int round = 1; round <= 100; ++round) {
    shared.n_arrived.fetch_add(1, std::memory_order_relaxed);
    while (shared.n_arrived.load(std::memory_order_relaxed) < 2 * round) pgas::yield();
    ++shared.count;
  }
}

}  // namespace

int main() {
  pgas::Options options;
  options.loopback_nodes = 2;
  return pgas::run(options, [] {
    Shared shared;
    pgas::on_all([&shared] { race(shared); });
    std::printf("%d\n", shared.count);
  });
}
