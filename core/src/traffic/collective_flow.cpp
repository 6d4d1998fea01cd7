/// Messages of collectives, one function for each flow and algorithm.
#include "traffic/collective_flow.hpp"

#include <corewise_formats/profile.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "corewise/error.hpp"

namespace corewise {
namespace {

constexpr std::size_t kMostPairs = std::size_t{1} << 27;

/// amount * factor / parts, rounded down. The intermediate product can't overflow.
std::uint64_t share_of(std::uint64_t amount, std::uint64_t factor, std::uint64_t parts) {
  return amount / parts * factor + amount % parts * factor / parts;
}

/// Members begin..end-1 without the sender itself.
struct PeerRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

PeerRange logical_peers(int flow, std::int32_t root, std::size_t n_members, std::size_t member) {
  const PeerRange all{0, n_members};
  const auto one = [](std::size_t i) { return PeerRange{i, i + 1}; };
  const auto place_of_root = static_cast<std::size_t>(root);
  switch (flow) {
    case CW_FLOW_FROM_ROOT:
      return root >= 0 && place_of_root == member ? all : PeerRange{};
    case CW_FLOW_TO_ROOT:
      return root >= 0 ? one(place_of_root) : PeerRange{};
    case CW_FLOW_ALL_PAIRS:
      return all;
    case CW_FLOW_THROUGH_FIRST:
      return member == 0 ? all : one(0);
    case CW_FLOW_CHAIN:
      return member + 1 < n_members ? one(member + 1) : PeerRange{};
    default:
      return {};
  }
}

/// Messages of one kind of calls in one communicator. Members are numbered by their rank in it.
class Messages {
 public:
  Messages(const CollectiveCalls& calls, std::vector<MatrixEntry>& entries)
      : calls_(calls), entries_(entries), n_(calls.members.size()) {}

  void logical() {
    for (std::size_t member = 0; member < n_; ++member) {
      const PeerRange peers = logical_peers(calls_.flow, calls_.root, n_, member);
      for (std::size_t peer = peers.begin; peer < peers.end; ++peer) {
        if (peer != member) send(member, peer, bytes(member), count(member));
      }
    }
  }

  /// Each block travels round the ring: member i sends to i + 1 all blocks except that of i + 1.
  void ring_allgather() {
    const std::uint64_t all = all_bytes();
    for (std::size_t i = 0; i < n_; ++i) {
      const std::size_t next = (i + 1) % n_;
      send(i, next, all - calls_.of_member[next].bytes, count(i) * (n_ - 1));
    }
  }

  /// Reduce-scatter, then allgather, both round the ring in parts of 1/n of the vector.
  void ring_allreduce() {
    for (std::size_t i = 0; i < n_; ++i) {
      send(i, (i + 1) % n_, share_of(bytes(i), 2 * (n_ - 1), n_), count(i) * 2 * (n_ - 1));
    }
  }

  /// In step k, members i and i xor 2^k exchange messages. Their size grows from step to step (allgather), or
  /// is that of the vector (allreduce). If the number of members is no power of two, the surplus members send
  /// their data to a neighbour before the first step and get the result from it after the last one.
  void recursive_doubling(bool grows) {
    const std::size_t n_doubling = std::bit_floor(n_);
    const std::size_t n_folded = n_ - n_doubling;  // surplus members: 0, 2, ..., 2 * n_folded - 2
    const auto member_of = [&](std::size_t i) { return i < n_folded ? 2 * i + 1 : i + n_folded; };
    std::vector<std::uint64_t> holds(n_doubling);
    for (std::size_t i = 0; i < n_doubling; ++i) holds[i] = bytes(member_of(i));
    for (std::size_t i = 0; i < n_folded; ++i) {
      send(2 * i, 2 * i + 1, bytes(2 * i), count(2 * i));
      if (grows) holds[i] += bytes(2 * i);
    }
    for (std::size_t distance = 1; distance < n_doubling; distance *= 2) {
      for (std::size_t i = 0; i < n_doubling; ++i) {
        send(member_of(i), member_of(i ^ distance), holds[i], count(member_of(i)));
      }
      for (std::size_t i = 0; grows && i < n_doubling; ++i) {
        if ((i & distance) == 0) holds[i] = holds[i ^ distance] = holds[i] + holds[i ^ distance];
      }
    }
    for (std::size_t i = 0; i < n_folded; ++i) {
      const std::uint64_t result = grows ? all_bytes() - bytes(2 * i) : bytes(2 * i + 1);
      send(2 * i + 1, 2 * i, result, count(2 * i + 1));
    }
  }

  /// From the root down: in step k, the first 2^k members (from the root) send to the members 2^k after them.
  void binomial_down(bool scatters) {
    const std::vector<std::uint64_t> below = subtree_sizes();
    const std::size_t root = at_root(0);
    for (std::size_t v = 1; v < n_; ++v) {
      const std::size_t from = at_root(parent(v));
      const std::uint64_t amount = scatters ? bytes(root) * below[v] : bytes(from);
      send(from, at_root(v), amount, count(scatters ? root : from));
    }
  }

  /// The same tree towards the root. With `gathers`, a member also forwards what it has received.
  void binomial_up(bool gathers) {
    std::vector<std::uint64_t> holds(n_);
    for (std::size_t v = 0; v < n_; ++v) holds[v] = bytes(at_root(v));
    for (std::size_t v = n_ - 1; v >= 1; --v) {
      send(at_root(v), at_root(parent(v)), holds[v], count(at_root(v)));
      if (gathers) holds[parent(v)] += holds[v];
    }
  }

 private:
  [[nodiscard]] std::uint64_t bytes(std::size_t member) const { return calls_.of_member[member].bytes; }
  [[nodiscard]] std::uint64_t count(std::size_t member) const { return calls_.of_member[member].count; }
  [[nodiscard]] std::uint64_t all_bytes() const {
    return std::accumulate(
        calls_.of_member.begin(), calls_.of_member.end(), std::uint64_t{0},
        [](std::uint64_t sum, const Contribution& contribution) { return sum + contribution.bytes; });
  }

  /// The v-th member, counted from the root.
  [[nodiscard]] std::size_t at_root(std::size_t v) const {
    return (v + static_cast<std::size_t>(std::max(calls_.root, 0))) % n_;
  }
  [[nodiscard]] static std::size_t parent(std::size_t v) { return v - std::bit_floor(v); }
  [[nodiscard]] std::vector<std::uint64_t> subtree_sizes() const {
    std::vector<std::uint64_t> sizes(n_, 1);
    for (std::size_t v = n_ - 1; v >= 1; --v) sizes[parent(v)] += sizes[v];
    return sizes;
  }

  void send(std::size_t from, std::size_t to, std::uint64_t n_bytes, std::uint64_t n_messages) {
    const Rank src = calls_.members[from];
    const Rank dst = calls_.members[to];
    if (n_messages == 0 || src == dst) return;
    if (entries_.size() >= kMostPairs) {
      throw Error(ErrorCode::unsupported,
                  "the collectives of this profile connect more than 2^27 pairs of ranks; expected "
                  "fewer: use the point-to-point layer");
    }
    entries_.push_back({src, dst, n_bytes, n_messages});
  }

  const CollectiveCalls& calls_;
  std::vector<MatrixEntry>& entries_;
  std::size_t n_;
};

bool is_named(std::string_view call, std::string_view stem) {
  return call.find(stem) != std::string_view::npos;
}

/// Adds the messages of the calls by an algorithm; false if the algorithm does not apply to these calls.
bool expand_by(const CollectiveCalls& calls, CollectiveFlow flow, Messages& messages) {
  const bool allgather = calls.flow == CW_FLOW_ALL_PAIRS && is_named(calls.call, "llgather");
  const bool allreduce = calls.flow == CW_FLOW_THROUGH_FIRST;
  if (flow == CollectiveFlow::ring && (allgather || allreduce)) {
    allgather ? messages.ring_allgather() : messages.ring_allreduce();
    return true;
  }
  if (flow == CollectiveFlow::recursive_doubling && (allgather || allreduce)) {
    messages.recursive_doubling(allgather);
    return true;
  }
  const bool down = calls.flow == CW_FLOW_FROM_ROOT;
  const bool up = calls.flow == CW_FLOW_TO_ROOT;
  if (flow != CollectiveFlow::binomial || !(down || up || allreduce)) return false;
  if (up || allreduce) messages.binomial_up(is_named(calls.call, "ather"));
  if (down || allreduce) messages.binomial_down(is_named(calls.call, "catter"));
  return true;
}

}  // namespace

Contribution sent_logically(int flow, std::int32_t root, std::size_t n_members, std::size_t caller,
                            Contribution put_in) {
  const PeerRange peers = logical_peers(flow, root, n_members, caller);
  const bool itself = peers.begin <= caller && caller < peers.end;
  const std::uint64_t n_peers = peers.end - peers.begin - (itself ? 1 : 0);
  return {put_in.bytes * n_peers, put_in.count * n_peers};
}

void expand(const CollectiveCalls& calls, CollectiveFlow flow, std::vector<MatrixEntry>& entries) {
  if (calls.members.empty()) return;
  Messages messages(calls, entries);
  if (flow == CollectiveFlow::logical || !expand_by(calls, flow, messages)) messages.logical();
}

}  // namespace corewise
