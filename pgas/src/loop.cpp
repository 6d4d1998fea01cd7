// How a loop is divided among nodes and workers.
#include "corewise/pgas/detail/loop.hpp"

#include <limits>

#include "corewise/pgas/detail/array_block.hpp"

namespace corewise::pgas::detail {

LoopShape LoopShape::part(int node, int n_nodes) const {
  const std::size_t size = end > begin ? end - begin : 0;
  const std::size_t block = block_of(size, n_nodes);
  const std::size_t first = std::min(size, static_cast<std::size_t>(node) * block);
  const std::size_t last = std::min(size, first + block);
  return {begin + first, begin + last, chunk, in_flight};
}

std::size_t LoopShape::chunk_for(int workers) const {
  constexpr std::size_t chunks_per_worker = 16;
  const std::size_t size = end - begin;
  const std::size_t wanted =
      chunk != 0 ? chunk : size / (chunks_per_worker * static_cast<std::size_t>(workers));
  // After the last index, each runner adds a chunk once more: the counter must not wrap around.
  const std::size_t room = std::numeric_limits<std::size_t>::max() - size;
  const std::size_t runners = runners_for(workers) + 1;
  return std::max<std::size_t>(1, std::min({wanted, size, room / runners}));
}

std::size_t LoopShape::runners_for(int workers) const {
  constexpr std::size_t most = 1U << 20U;  // per worker: each waiting task has a stack
  return std::min(in_flight, most) * static_cast<std::size_t>(workers);
}

}  // namespace corewise::pgas::detail
