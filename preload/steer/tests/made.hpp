// Synthetic machines and snapshots, and a synthetic job that reacts to swaps, for the tests of steering.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "decide.h"
}

namespace made {

/// `n_cores` cores; each `per_cache` of them share a cache and each `per_numa` a NUMA domain and package.
inline std::unique_ptr<cw_steering> steering(int n_cores, int per_cache, int per_numa) {
  auto made = std::make_unique<cw_steering>();
  cw_steering_init(made.get());
  char message[CW_MESSAGE_BYTES];
  for (int core = 0; core < n_cores; ++core) {
    const std::string line = "core id=" + std::to_string(core) + " pus=" + std::to_string(core) +
                             " caches=" + std::to_string(core / per_cache) +
                             " numa=" + std::to_string(core / per_numa) +
                             " package=" + std::to_string(core / per_numa);
    if (!cw_steer_machine_add_line(&made->machine, line.c_str(), message)) throw std::string(message);
  }
  if (!cw_steer_machine_complete(&made->machine, message)) throw std::string(message);
  return made;
}

constexpr std::int64_t kMs = 1000000;

/// An interval of 250 ms in which no rank did anything, but every monitor has enough events.
inline std::unique_ptr<cw_snapshot> snapshot(int n_ranks) {
  auto made = std::make_unique<cw_snapshot>();
  made->number = 1;
  made->time_ns = made->length_ns = 250 * kMs;
  made->n_ranks = n_ranks;
  for (int rank = 0; rank < n_ranks; ++rank) {
    made->ranks[rank] = {};
    made->ranks[rank].id = made->ranks[rank].core = rank;
    made->ranks[rank].calls = 100;
    made->ranks[rank].cache_misses = made->ranks[rank].unexpected = made->ranks[rank].posted = -1;
  }
  return made;
}

/// Compute and wait time of a rank in parts of 250 ms.
inline void share(cw_snapshot& snapshot, int rank, double compute, double wait) {
  snapshot.ranks[rank].compute_ns = static_cast<std::int64_t>(compute * 250 * kMs);
  snapshot.ranks[rank].wait_ns = static_cast<std::int64_t>(wait * 250 * kMs);
}

inline void packets(cw_snapshot& snapshot, int core, std::int64_t n) {
  snapshot.cores[snapshot.n_cores++] = {core, n, -1};
}

inline void bytes(cw_snapshot& snapshot, int rank, int peer, std::int64_t n) {
  snapshot.peers[snapshot.n_peers++] = {rank, peer, n};
}

/// The proposals of one metric for four equal intervals.
inline cw_proposals proposals(const cw_steering& steering, const cw_snapshot& snapshot, const char* metric) {
  auto analysis = std::make_unique<cw_analysis>();
  for (int interval = 0; interval < 4; ++interval) cw_analysis_add(analysis.get(), &snapshot);
  const auto index = std::make_unique<cw_analysis_index>();
  cw_view view = {&steering.machine, &steering.settings, &steering.confidences, analysis.get(), nullptr};
  cw_view_index(&view, index.get());
  cw_proposals found = {};
  cw_metrics[cw_metric_find(metric, std::string(metric).size())].propose(&view, &found);
  return found;
}

/// A job on one node. In every iteration, rank i computes work_ns[i] on a core of full speed, longer on a
/// slower core; then all wait for the slowest. Its actuator does every swap, unless `refuses`.
struct Job {
  std::vector<double> work_ns;
  std::vector<double> speed;       // [core], 1 is full
  std::vector<std::int64_t> core;  // [rank]
  std::int64_t protocol_core = 0;  // packets reduce its speed
  std::int64_t now_ns = 0;
  std::int64_t number = 0;
  cw_swap_result result = {};
  bool refuses = false;  // the kernel refuses every mask

  double iteration_ns() const {
    double slowest = 0;
    for (std::size_t rank = 0; rank < core.size(); ++rank)
      slowest = std::max(slowest, work_ns[rank] / speed[core[rank]]);
    return slowest;
  }

  void observe(cw_snapshot& seen, std::int64_t length_ns) {
    now_ns += length_ns;
    cw_snapshot_clear(&seen);
    seen.number = ++number;
    seen.time_ns = now_ns;
    seen.length_ns = length_ns;
    seen.result = result;
    result = {};
    const double all = iteration_ns();
    const auto n = static_cast<std::int64_t>(static_cast<double>(length_ns) / all);
    seen.n_ranks = static_cast<int>(core.size());
    for (std::size_t rank = 0; rank < core.size(); ++rank) {
      cw_rank_sample& sample = seen.ranks[rank];
      const double compute = work_ns[rank] / speed[core[rank]];
      sample = {};
      sample.id = static_cast<std::int64_t>(rank);
      sample.core = core[rank];
      sample.calls = n;
      sample.compute_ns = static_cast<std::int64_t>(static_cast<double>(n) * compute);
      sample.wait_ns = static_cast<std::int64_t>(static_cast<double>(n) * all) - sample.compute_ns;
      sample.cache_misses = sample.unexpected = sample.posted = -1;
    }
    const double taken = (1 - speed[protocol_core]) * static_cast<double>(length_ns);
    packets(seen, static_cast<int>(protocol_core), static_cast<std::int64_t>(taken / 700));
  }

  void act(const cw_decision& decision) {
    if (decision.action != CW_ACTION_SWAP && decision.action != CW_ACTION_UNDO) return;
    if (!refuses) std::swap(core[decision.proposal.rank_a], core[decision.proposal.rank_b]);
    result = {decision.swap, !refuses, 300000};
  }
};

/// Changes the job before an interval, or what was observed in it.
using Change = std::function<void(int interval, Job& job)>;
using ChangeSeen = std::function<void(int interval, cw_snapshot& seen)>;

/// The decisions, except "none", that `steering` takes in `n` intervals of 50 ms.
inline std::vector<cw_decision> decisions(
    const cw_steering& steering, Job& job, int n, const Change& change = [](int, Job&) {},
    const ChangeSeen& change_seen = [](int, cw_snapshot&) {}) {
  auto state = std::make_unique<cw_decide_state>();
  auto seen = std::make_unique<cw_snapshot>();
  std::vector<cw_decision> found;
  for (int interval = 0; interval < n; ++interval) {
    change(interval, job);
    job.observe(*seen, 50 * kMs);
    change_seen(interval, *seen);
    const cw_decision decision = cw_decide(&steering, seen.get(), state.get());
    if (decision.action != CW_ACTION_NONE) found.push_back(decision);
    job.act(decision);
  }
  return found;
}

inline std::vector<std::int64_t> actions(const std::vector<cw_decision>& decisions) {
  std::vector<std::int64_t> found;
  for (const cw_decision& decision : decisions) found.push_back(decision.action);
  return found;
}

/// The actions of the decisions of an unchanged job.
inline std::vector<std::int64_t> steer(const cw_steering& steering, Job& job, int n) {
  return actions(decisions(steering, job, n));
}

}  // namespace made
