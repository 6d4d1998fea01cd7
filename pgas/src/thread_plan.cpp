// Chooses the number of threads of each role and their PUs.
#include "thread_plan.hpp"

#include <sched.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <mutex>

#include "corewise/pgas/error.hpp"

namespace corewise::pgas::detail {
namespace {

/// Processes with equal values share PUs.
struct HostAndMask {
  std::array<char, 64> host{};
  cpu_set_t mask{};
};

/// One process's part of the PUs in a mask.
struct Share {
  unsigned rank = 0;            ///< of this process among those that share the mask
  unsigned size = 0;            ///< number of processes that share the mask
  int pus = 1;                  ///< number of PUs in this process's part
  bool oversubscribed = false;  ///< more processes than PUs
};

Share share_of(Transport& transport) {
  HostAndMask own;
  gethostname(own.host.data(), own.host.size() - 1);
  sched_getaffinity(0, sizeof own.mask, &own.mask);
  const auto all = transport.gather(std::as_bytes(std::span(&own, 1)));
  Share share;
  for (std::size_t node = 0; node < all.size(); ++node) {
    if (std::memcmp(all[node].data(), &own, sizeof own) != 0) continue;
    if (static_cast<int>(node) < transport.node()) ++share.rank;
    ++share.size;
  }
  const auto pus = static_cast<unsigned>(CPU_COUNT(&own.mask));
  share.pus = static_cast<int>(pus / share.size + (share.rank < pus % share.size ? 1 : 0));
  share.oversubscribed = share.pus == 0 || share.size > pus;
  if (share.pus == 0) share.pus = 1;
  return share;
}

int default_helpers(int pus, bool alone) { return alone || pus < 4 ? 0 : std::max(1, pus / 8); }

int default_workers(int pus, int helpers, bool alone) {
  return alone ? pus - 1 : std::max(0, pus - 1 - helpers);
}

/// Creates one plan at a time: hwloc calls libudev, which sets a global variable without a lock.
cw_status_t create_plan(const cw_thread_plan_options_t& options, cw_thread_plan_t** plan) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  return cw_thread_plan_create(&options, plan);
}

std::size_t count_of(const cw_thread_plan_t* plan, const char* role) {
  std::size_t count = 0;
  return cw_thread_plan_count(plan, role, &count) == CW_OK ? count : 0;
}

}  // namespace

ThreadPlan::ThreadPlan(Transport& transport, const Options& given) {
  const Share share = share_of(transport);
  const bool alone = transport.n_nodes() == 1;
  helpers_ = given.helpers >= 0 ? given.helpers : default_helpers(share.pus, alone);
  workers_ = given.workers >= 0 ? given.workers : default_workers(share.pus, helpers_, alone);
  const std::array roles{cw_role_t{"worker", CW_DUTY_COMPUTE, workers_},
                         cw_role_t{"helper", CW_DUTY_SERVICE, helpers_},
                         cw_role_t{"comm_server", CW_DUTY_NETWORK, 1}};
  std::array<char, 512> message{};
  cw_thread_plan_options_t options;
  cw_thread_plan_options_init(&options);
  options.policy = given.policy.empty() ? nullptr : given.policy.c_str();
  options.roles = roles.data();
  options.n_roles = roles.size();
  options.local_rank = share.rank;
  options.local_size = share.size;
  options.overrides = cw_affinity_environment();
  options.message = message.data();
  options.message_size = message.size();
  const cw_status_t status = create_plan(options, &plan_);
  if (status != CW_OK) {
    throw Error(std::string("threads cannot be placed: ") +
                (message[0] != '\0' ? message.data() : cw_status_string(status)));
  }
  workers_ = static_cast<int>(count_of(plan_, "worker"));
  helpers_ = static_cast<int>(count_of(plan_, "helper"));
  oversubscribed_ = share.oversubscribed || workers_ + helpers_ + 1 > share.pus;
  if (count_of(plan_, "comm_server") != 1) {
    throw Error("COREWISE_AFFINITY asks for " + std::to_string(count_of(plan_, "comm_server")) +
                " comm_servers; a process has one, since one thread of it calls MPI");
  }
}

ThreadPlan::~ThreadPlan() { cw_thread_plan_destroy(plan_); }

void ThreadPlan::bind(const char* role, std::size_t index) const {
  std::size_t thread = 0;
  cw_status_t status = cw_thread_plan_find(plan_, role, index, &thread);
  if (status == CW_OK) status = cw_thread_plan_apply(plan_, thread);
  if (status == CW_OK) status = cw_thread_plan_verify(plan_, thread);
  if (status != CW_OK) {
    throw Error(std::string(role) + " " + std::to_string(index) +
                " could not be bound: " + cw_status_string(status));
  }
}

std::string ThreadPlan::text() const {
  std::size_t bytes = 0;
  cw_thread_plan_print(plan_, CW_FORMAT_TEXT, nullptr, 0, &bytes);
  std::string text(bytes, '\0');
  cw_thread_plan_print(plan_, CW_FORMAT_TEXT, text.data(), bytes + 1, nullptr);
  return text;
}

}  // namespace corewise::pgas::detail
