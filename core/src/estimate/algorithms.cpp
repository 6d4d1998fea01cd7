/// The messages of each algorithm, step by step.
#include "estimate/algorithms.hpp"

#include <algorithm>
#include <bit>

#include "corewise/error.hpp"

namespace corewise {
namespace {

constexpr std::size_t kMostTransfers = std::size_t{1} << 26;

std::uint32_t bits(std::int32_t value) { return static_cast<std::uint32_t>(value); }
std::int32_t log2_above(std::int32_t n) { return std::bit_width(bits(n - 1)); }
std::int32_t steps_of_binary_tree(std::int32_t member) { return std::bit_width(bits(member + 1)) - 1; }

/// Number of non-zero digits in base 4.
std::int32_t n_digits(std::int32_t number) {
  std::int32_t found = 0;
  for (; number > 0; number /= 4) found += number % 4 != 0 ? 1 : 0;
  return found;
}

}  // namespace

void Algorithms::add(std::int32_t step, std::int32_t src, std::int32_t dst, std::uint64_t bytes) {
  if (src == dst) return;
  if (transfers_.size() >= kMostTransfers) {
    throw Error(ErrorCode::unsupported,
                "a collective sends more than 2^26 messages; expected fewer members: estimate a smaller job");
  }
  transfers_.push_back({step, src, dst, bytes});
  next_ = std::max(next_, step + 1);
}

void Algorithms::append(const std::vector<Transfer>& others) {
  const std::int32_t first = next_;
  for (const Transfer& other : others) add(first + other.step, other.src, other.dst, other.bytes);
}

/// Here `parent` and `child` are numbered from the root, which is 0.
void Algorithms::add_from_root(std::int32_t step, std::int32_t parent, std::int32_t child,
                               std::uint64_t bytes) {
  add(step, (parent + root_) % n_, (child + root_) % n_, bytes);
}

void Algorithms::linear_down(std::uint64_t bytes) {
  const std::int32_t first = next_;
  for (std::int32_t v = 1; v < n_; ++v) add_from_root(first, 0, v, bytes);
}

void Algorithms::chains_down(std::int32_t n_chains, std::uint64_t bytes) {
  const std::int32_t first = next_;
  const std::int32_t length = (n_ - 1 + n_chains - 1) / n_chains;
  for (std::int32_t v = 1; v < n_; ++v) {
    const std::int32_t place = (v - 1) % length;
    add_from_root(first + place, place == 0 ? 0 : v - 1, v, bytes);
  }
}

/// Level k has the 2^k members from 2^k - 1 on. Children of v in level k are v + 2^k and v + 2^(k+1).
void Algorithms::binary_tree_down(std::uint64_t bytes) {
  const std::int32_t first = next_;
  for (std::int32_t v = 1; v < n_; ++v) {
    const std::int32_t level = steps_of_binary_tree(v) - 1;
    const std::int32_t begin = (1 << level) - 1;
    const std::int32_t nearest = v - (1 << level);
    const std::int32_t parent = nearest < 2 * begin + 1 ? nearest : nearest - (1 << level);
    add_from_root(first + level, parent, v, bytes);
  }
}

void Algorithms::binomial_down(std::uint64_t bytes, bool scatters) {
  const std::int32_t first = next_;
  const std::int32_t last_step = log2_above(n_) - 1;
  for (std::int32_t v = 1; v < n_; ++v) {
    const std::int32_t k = std::countr_zero(bits(v));
    const std::int32_t n_below = std::min(1 << k, n_ - v);
    add_from_root(first + last_step - k, v - (1 << k), v,
                  scatters ? bytes * static_cast<std::uint64_t>(n_below) : bytes);
  }
}

/// A member sends to all of its children in the same step.
void Algorithms::binomial_spread_down(std::uint64_t bytes) {
  const std::int32_t first = next_;
  for (std::int32_t v = 1; v < n_; ++v) {
    const auto parent = v - static_cast<std::int32_t>(std::bit_floor(bits(v)));
    add_from_root(first + std::popcount(bits(parent)), parent, v, bytes);
  }
}

void Algorithms::knomial_down(std::uint64_t bytes) {
  const std::int32_t first = next_;
  for (std::int32_t v = 1; v < n_; ++v) {
    std::int32_t place = 1;
    while (v / place % 4 == 0) place *= 4;
    const std::int32_t parent = v - v / place % 4 * place;
    add_from_root(first + n_digits(parent), parent, v, bytes);
  }
}

void Algorithms::reverse_from(std::int32_t first) {
  for (Transfer& transfer : transfers_) {
    if (transfer.step < first) continue;
    transfer.step = first + next_ - 1 - transfer.step;
    std::swap(transfer.src, transfer.dst);
  }
}

std::int32_t Algorithms::n_doubling() const { return static_cast<std::int32_t>(std::bit_floor(bits(n_))); }

std::int32_t Algorithms::unfolded(std::int32_t i) const {
  const std::int32_t n_folded = n_ - n_doubling();
  return i < n_folded ? 2 * i + 1 : i + n_folded;
}

void Algorithms::fold(std::uint64_t bytes) {
  const std::int32_t first = next_;
  for (std::int32_t i = 0; i < n_ - n_doubling(); ++i) add(first, 2 * i, 2 * i + 1, bytes);
}

void Algorithms::unfold(std::uint64_t bytes) {
  const std::int32_t first = next_;
  for (std::int32_t i = 0; i < n_ - n_doubling(); ++i) add(first, 2 * i + 1, 2 * i, bytes);
}

void Algorithms::recursive_doubling(std::uint64_t bytes, bool grows) {
  fold(bytes);
  const std::int32_t n = n_doubling();
  std::vector<std::uint64_t> holds(static_cast<std::size_t>(n), bytes);
  for (std::int32_t i = 0; grows && i < n_ - n; ++i) holds[static_cast<std::size_t>(i)] *= 2;
  for (std::int32_t distance = 1; distance < n; distance *= 2) {
    const std::int32_t step = next_;
    const std::vector<std::uint64_t> held = holds;
    for (std::int32_t i = 0; i < n; ++i) {
      const auto partner = static_cast<std::size_t>(i ^ distance);
      add(step, unfolded(i), unfolded(i ^ distance), held[static_cast<std::size_t>(i)]);
      if (grows) holds[static_cast<std::size_t>(i)] += held[partner];
    }
  }
  unfold(grows ? bytes * static_cast<std::uint64_t>(n_ - 1) : bytes);
}

void Algorithms::ring(std::uint64_t bytes, std::int32_t n_steps) {
  const std::int32_t first = next_;
  for (std::int32_t step = 0; step < n_steps; ++step) {
    for (std::int32_t i = 0; i < n_; ++i) add(first + step, i, (i + 1) % n_, bytes);
  }
}

void Algorithms::bruck_allgather(std::uint64_t block) {
  for (std::int32_t distance = 1; distance < n_; distance *= 2) {
    const std::int32_t step = next_;
    const auto n_blocks = static_cast<std::uint64_t>(std::min(distance, n_ - distance));
    for (std::int32_t i = 0; i < n_; ++i) add(step, i, (i - distance + n_) % n_, block * n_blocks);
  }
}

void Algorithms::bruck_alltoall(std::uint64_t block) {
  for (std::int32_t distance = 1; distance < n_; distance *= 2) {
    const std::int32_t step = next_;
    std::uint64_t n_blocks = 0;
    for (std::int32_t k = 1; k < n_; ++k) n_blocks += (k & distance) != 0 ? 1 : 0;
    for (std::int32_t i = 0; i < n_; ++i) add(step, i, (i + distance) % n_, block * n_blocks);
  }
}

/// First, neighbours exchange their own blocks. Then each member exchanges the two latest blocks with its
/// other neighbour, alternately. An odd number of members uses the ring instead.
void Algorithms::neighbor_exchange(std::uint64_t block) {
  if (n_ % 2 != 0) return ring(block, n_ - 1);
  for (std::int32_t round = 0; round < n_ / 2; ++round) {
    const std::int32_t step = next_;
    for (std::int32_t i = 0; i < n_; ++i) {
      const bool up = (i + round) % 2 == 0;
      add(step, i, (i + (up ? 1 : n_ - 1)) % n_, round == 0 ? block : 2 * block);
    }
  }
}

void Algorithms::halve(std::uint64_t vector, bool near_first) {
  fold(vector);
  const std::int32_t n = n_doubling();
  for (std::int32_t round = 0; 1 << round < n; ++round) {
    const std::int32_t step = next_;
    const std::int32_t distance = near_first ? 1 << round : n >> (round + 1);
    for (std::int32_t i = 0; i < n; ++i) {
      add(step, unfolded(i), unfolded(i ^ distance), vector >> (round + 1));
    }
  }
}

void Algorithms::recursive_halving(std::uint64_t vector, bool near_first) {
  halve(vector, near_first);
  unfold(vector / static_cast<std::uint64_t>(n_));
}

void Algorithms::rabenseifner_allreduce(std::uint64_t vector) {
  halve(vector, true);
  const std::int32_t n = n_doubling();
  for (std::int32_t round = std::countr_zero(bits(n)) - 1; round >= 0; --round) {
    const std::int32_t step = next_;
    for (std::int32_t i = 0; i < n; ++i) {
      add(step, unfolded(i), unfolded(i ^ (1 << round)), vector >> (round + 1));
    }
  }
  unfold(vector);
}

void Algorithms::rabenseifner_reduce(std::uint64_t vector) {
  halve(vector, true);
  const std::int32_t n = n_doubling();
  // Gathers the parts at the root, or at the neighbour that got the root's vector in fold().
  std::int32_t collector = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    if (unfolded(i) == root_ || unfolded(i) == root_ + 1) collector = i;
    if (unfolded(i) == root_) break;
  }
  for (std::int32_t round = std::countr_zero(bits(n)) - 1; round >= 0; --round) {
    const std::int32_t step = next_;
    for (std::int32_t v = 1 << round; v < 2 << round; ++v) {
      const std::int32_t other = v - (1 << round);
      add(step, unfolded(v ^ collector), unfolded(other ^ collector), vector >> (round + 1));
    }
  }
  if (unfolded(collector) != root_) add(next_, unfolded(collector), root_, vector);
}

void Algorithms::dissemination() {
  for (std::int32_t distance = 1; distance < n_; distance *= 2) {
    const std::int32_t step = next_;
    for (std::int32_t i = 0; i < n_; ++i) add(step, i, (i + distance) % n_, 0);
  }
}

void Algorithms::all_pairs(std::uint64_t block, bool in_steps) {
  const std::int32_t first = next_;
  for (std::int32_t distance = 1; distance < n_; ++distance) {
    for (std::int32_t i = 0; i < n_; ++i) {
      add(first + (in_steps ? distance - 1 : 0), i, (i + distance) % n_, block);
    }
  }
}

void Algorithms::pairs(std::span<const Transfer> wanted, bool in_steps) {
  const std::int32_t first = next_;
  for (const Transfer& pair : wanted) {
    const std::int32_t distance = (pair.dst - pair.src + n_) % n_;
    add(first + (in_steps ? distance : 0), pair.src, pair.dst, pair.bytes);
  }
}

}  // namespace corewise
