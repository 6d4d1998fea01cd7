// The MPI transport: two-sided messages. Only the thread that called MPI_Init_thread calls MPI
// (MPI_THREAD_FUNNELED).
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <string>
#include <thread>

#include "transport.hpp"

namespace corewise::pgas::detail {
namespace {

using namespace std::chrono_literals;

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(std::string(call) + " failed: " + text.data());
}

/// Waits for a request, sleeping between tests.
void wait_for(MPI_Request& request) {
  int done = 0;
  for (;;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done) return;
    std::this_thread::sleep_for(50us);
  }
}

/// Does MPI_Finalize hang if another process calls MPI while this one is in MPI_Finalize? This happens in
/// MPICH with UCX before 4.2.0 (docs/reference/pgas.md, "MPICH 4.0 and 4.1 over TCP").
bool finalize_can_hang() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
  int length = 0;
  MPI_Get_library_version(version.data(), &length);
  int major = 0;
  int minor = 0;
  return std::sscanf(version.data(), "MPICH Version: %d.%d", &major, &minor) == 2 &&
         std::pair(major, minor) < std::pair(4, 2) && std::strstr(version.data(), "ch4:ucx") != nullptr;
}

/// Messages are received into a ring of posted buffers. MPI matches them in the order of posting, so only the
/// oldest needs to be tested. Sends are tested in order, too, because they mostly complete in order.
class Mpi final : public Transport {
 public:
  Mpi() {
    int initialized = 0;
    MPI_Initialized(&initialized);
    int provided = MPI_THREAD_SINGLE;
    if (initialized) {
      MPI_Query_thread(&provided);
    } else {
      check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
      owns_mpi_ = true;
    }
    if (provided < MPI_THREAD_FUNNELED) {
      throw Error("this MPI gives MPI_THREAD_SINGLE only; the runtime needs MPI_THREAD_FUNNELED");
    }
    check(MPI_Comm_dup(MPI_COMM_WORLD, &world_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world_, &node_);
    MPI_Comm_size(world_, &n_nodes_);
    name_job();
  }

  [[nodiscard]] int node() const override { return node_; }
  [[nodiscard]] int n_nodes() const override { return n_nodes_; }

  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
    const auto bytes = static_cast<int>(own.size());
    std::vector<std::byte> flat(own.size() * static_cast<std::size_t>(n_nodes_));
    check(MPI_Allgather(own.data(), bytes, MPI_BYTE, flat.data(), bytes, MPI_BYTE, world_), "MPI_Allgather");
    std::vector<std::vector<std::byte>> all;
    for (auto at = flat.begin(); at != flat.end(); at += bytes) all.emplace_back(at, at + bytes);
    return all;
  }

  void start(BufferPool& pool) override {
    pool_ = &pool;
    if (n_nodes_ == 1) return;
    for (Posted& posted : receives_) post(posted);
  }

  void send(int node, Buffer* buffer) override {
    const auto bytes = static_cast<int>(buffer->header().bytes);
    sends_.push_back({buffer, MPI_REQUEST_NULL});
    check(MPI_Isend(buffer->data(), bytes, MPI_BYTE, node, tag, world_, &sends_.back().request), "MPI_Isend");
  }

  [[nodiscard]] Buffer* receive() override {
    release_completed_sends();
    Posted& oldest = receives_[next_receive_];
    int done = 0;
    check(MPI_Test(&oldest.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (!done) return nullptr;
    Buffer* const arrived = oldest.buffer;
    post(oldest);
    next_receive_ = (next_receive_ + 1) % receives_.size();
    return arrived;
  }

  /// A process that failed ends without MPI_Finalize, and one that died is noticed by the launcher: both make
  /// the launcher end all others.
  void finish(bool failed) override {
    constexpr auto failure_send = 1s;  // time for the error to reach the other nodes
    const auto end = std::chrono::steady_clock::now() + failure_send;
    while (!sends_.empty() && (!failed || std::chrono::steady_clock::now() < end)) {
      if (Buffer* const late = receive()) pool_->give_back(late);
    }
    if (failed) return;  // neither a barrier nor MPI_Finalize returns if a process is dead
    MPI_Request all_here = MPI_REQUEST_NULL;
    check(MPI_Ibarrier(world_, &all_here), "MPI_Ibarrier");
    wait_for(all_here);
    for (Posted& posted : receives_) {
      if (posted.buffer == nullptr) continue;
      MPI_Cancel(&posted.request);
      MPI_Wait(&posted.request, MPI_STATUS_IGNORE);
      pool_->give_back(posted.buffer);
    }
    MPI_Comm_free(&world_);
    if (!owns_mpi_) return;
    if (finalize_can_hang()) barrier_of_the_launcher();
    MPI_Finalize();
  }

 private:
  static constexpr int tag = 0x6377;

  struct Posted {
    Buffer* buffer = nullptr;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  /// A dissemination barrier (Hensgen, Finkel and Manber, International Journal of Parallel Programming 17,
  /// 1988) over the launcher's name service, which neither sends MPI messages nor makes progress on them.
  /// Also returns after a minute, or if the launcher has no name service.
  void barrier_of_the_launcher() const {
    const auto name = [this](int node, int step) {
      return job_ + "-" + std::to_string(step) + "-" + std::to_string(node % n_nodes_);
    };
    const auto end = std::chrono::steady_clock::now() + 60s;
    std::array<char, MPI_MAX_PORT_NAME> port{"none"};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int step = 1; step < n_nodes_; step *= 2) {
      if (MPI_Publish_name(name(node_, step).c_str(), MPI_INFO_NULL, port.data()) != MPI_SUCCESS) return;
      auto pause = 1ms;
      while (MPI_Lookup_name(name(node_ + step, step).c_str(), MPI_INFO_NULL, port.data()) != MPI_SUCCESS) {
        if (std::chrono::steady_clock::now() > end) return;
        std::this_thread::sleep_for(pause);
        pause = std::min(2 * pause, 20ms);
      }
    }
  }

  /// A name that distinguishes this job from others that use the same name service: node 0's host and
  /// process.
  void name_job() {
    std::array<char, 64> own{};
    gethostname(own.data(), own.size() - 12);
    std::snprintf(own.data() + std::strlen(own.data()), 12, "-%d", static_cast<int>(getpid()));
    const auto all = gather(std::as_bytes(std::span(own)));
    job_ = std::string("corewise-pgas-") + reinterpret_cast<const char*>(all[0].data());
  }

  void post(Posted& posted) {
    posted.buffer = pool_->take();
    const auto bytes = static_cast<int>(pool_->buffer_bytes());
    check(MPI_Irecv(posted.buffer->data(), bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, world_, &posted.request),
          "MPI_Irecv");
  }

  void release_completed_sends() {
    while (!sends_.empty()) {
      int done = 0;
      check(MPI_Test(&sends_.front().request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (!done) return;
      pool_->give_back(sends_.front().buffer);
      sends_.pop_front();
    }
  }

  MPI_Comm world_ = MPI_COMM_NULL;
  int node_ = 0;
  int n_nodes_ = 1;
  bool owns_mpi_ = false;
  std::string job_;
  BufferPool* pool_ = nullptr;
  std::array<Posted, 16> receives_;
  std::size_t next_receive_ = 0;
  std::deque<Posted> sends_;
};

}  // namespace

std::vector<std::unique_ptr<Transport>> make_endpoints(const Options&) {
  std::vector<std::unique_ptr<Transport>> endpoints;
  endpoints.push_back(std::make_unique<Mpi>());
  return endpoints;
}

}  // namespace corewise::pgas::detail
