/// Processors: a line of processes and the slices that run.
#include "estimate/processors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace corewise {
namespace {

/// Linux from 6.6 on: base_slice_ns of a host with two or three processors (kernel/sched/fair.c).
constexpr double kSliceS = 1.4e-3;

}  // namespace

void Processors::begin(std::int32_t process, double seconds, double now_s) {
  const Part part{process, seconds};
  if (static_cast<double>(running_.size()) < n_) {
    run(part, now_s);
  } else {
    waiting_.push_back(part);
  }
}

void Processors::run(Part part, double now_s) {
  const double slice_s = std::isfinite(n_) ? std::min(part.left_s, kSliceS) : part.left_s;
  part.left_s -= slice_s;
  running_.push({now_s + slice_s, n_slices_++, part});
}

double Processors::next_end_s() const {
  return running_.empty() ? std::numeric_limits<double>::infinity() : running_.top().end_s;
}

std::int32_t Processors::end_next() {
  const auto [end_s, order, after] = running_.top();
  running_.pop();
  if (after.left_s > 0) waiting_.push_back(after);
  if (!waiting_.empty()) {
    run(waiting_.front(), end_s);
    waiting_.pop_front();
  }
  return after.left_s > 0 ? -1 : after.process;
}

}  // namespace corewise
