// The interface for sending messages between nodes, implemented by the MPI and the loopback transport.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "buffers.hpp"
#include "corewise/pgas/run.hpp"

namespace corewise::pgas::detail {

/// One node's endpoint. Only one thread, the comm_server, calls it.
class Transport {
 public:
  virtual ~Transport() = default;

  [[nodiscard]] virtual int node() const = 0;
  [[nodiscard]] virtual int n_nodes() const = 0;

  /// The contributions of all nodes, [node], all of the same size. Collective; only before start().
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) = 0;

  /// Starts communication. All messages use buffers of `pool`.
  virtual void start(BufferPool& pool) = 0;

  /// Sends a message. Returns its buffer to the pool when it is sent.
  virtual void send(int node, Buffer* buffer) = 0;

  /// A message that has arrived, or nullptr; the caller returns its buffer. Also makes progress on sends.
  [[nodiscard]] virtual Buffer* receive() = 0;

  /// Ends communication. If the run succeeded, nodes wait for each other.
  virtual void finish(bool failed) = 0;
};

/// The endpoints of the nodes in this process: one with MPI, all with loopback. Each transport's library
/// defines this function, so linking selects the transport.
std::vector<std::unique_ptr<Transport>> make_endpoints(const Options& options);

/// The loopback endpoints of `n_nodes` nodes in this process.
std::vector<std::unique_ptr<Transport>> make_loopback(int n_nodes);

/// Runs a node on each endpoint, the first on the calling thread.
/// @throws Error of the lowest node that failed.
void run_nodes(std::vector<std::unique_ptr<Transport>> endpoints, const Options& options,
               const std::function<void()>& root);

}  // namespace corewise::pgas::detail
