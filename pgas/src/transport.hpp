// How messages get from node to node: the small interface that MPI and the loopback stand behind.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "buffers.hpp"
#include "corewise/pgas/run.hpp"

namespace corewise::pgas::detail {

/// One node's end. Every function is called by one thread, the comm_server's.
class Transport {
 public:
  virtual ~Transport() = default;

  [[nodiscard]] virtual int node() const = 0;
  [[nodiscard]] virtual int n_nodes() const = 0;

  /// Everyone's contribution by node, all of one size; collective, before start() only.
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) = 0;

  /// Messages go through `pool` from now on.
  virtual void start(BufferPool& pool) = 0;

  /// Sends a message; the buffer goes back to the pool when it has left.
  virtual void send(int node, Buffer* buffer) = 0;

  /// A message that has arrived, or nullptr; the caller gives its buffer back. Also moves sends on.
  [[nodiscard]] virtual Buffer* receive() = 0;

  /// A node whose process is known to be dead, if any.
  [[nodiscard]] virtual std::optional<int> dead_node() = 0;

  /// Ends communication; nodes that end well wait for each other up to `timeout_s`. Nothing is sent after.
  virtual void finish(bool failed, double timeout_s) = 0;
};

/// What a program's link chose: the ends of all nodes that live in this process (one with MPI).
std::vector<std::unique_ptr<Transport>> make_transports(const Options& options);

/// The ends of `n_nodes` nodes in this process.
std::vector<std::unique_ptr<Transport>> make_loopback(int n_nodes);

/// Runs the nodes that live in this process, the first in the calling thread.
/// @throws Error the first node's, else the first of any.
void run_nodes(std::vector<std::unique_ptr<Transport>> ends, const Options& options,
               const std::function<void()>& root);

}  // namespace corewise::pgas::detail
