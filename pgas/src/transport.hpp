// How messages get from node to node: the interface that the MPI and the loopback transport implement.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "buffers.hpp"
#include "corewise/pgas/run.hpp"

namespace corewise::pgas::detail {

/// One node's endpoint. Every function is called by one thread, the comm_server.
class Transport {
 public:
  virtual ~Transport() = default;

  [[nodiscard]] virtual int node() const = 0;
  [[nodiscard]] virtual int n_nodes() const = 0;

  /// The contributions of all nodes, [node], all of one size; collective, before start() only.
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) = 0;

  /// Starts communication; `pool` has the buffers of all messages.
  virtual void start(BufferPool& pool) = 0;

  /// Sends a message, and gives its buffer back to the pool when that is done.
  virtual void send(int node, Buffer* buffer) = 0;

  /// A message that has arrived, or nullptr; the caller gives its buffer back. Also makes progress on sends.
  [[nodiscard]] virtual Buffer* receive() = 0;

  /// A node whose process is known to have ended, if any.
  [[nodiscard]] virtual std::optional<int> dead_node() = 0;

  /// Ends communication. Nodes whose run has not failed wait for each other, up to `timeout_s`.
  virtual void finish(bool failed, double timeout_s) = 0;
};

/// The endpoints of the nodes that live in this process: one with MPI, all with the loopback. Defined in the
/// library of each transport, so that a program's link chooses the transport.
std::vector<std::unique_ptr<Transport>> make_endpoints(const Options& options);

/// The loopback endpoints of `n_nodes` nodes in this process.
std::vector<std::unique_ptr<Transport>> make_loopback(int n_nodes);

/// Runs a node on each endpoint, the first in the calling thread.
/// @throws Error that of the lowest node that has one.
void run_nodes(std::vector<std::unique_ptr<Transport>> endpoints, const Options& options,
               const std::function<void()>& root);

}  // namespace corewise::pgas::detail
