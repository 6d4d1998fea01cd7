/// PlaceAllocator: which cores are free, and places made from them.
#include "solvers/problem/place_allocator.hpp"

#include <algorithm>
#include <utility>

namespace corewise {

PlaceAllocator::PlaceAllocator(const Machine& machine, std::vector<std::int32_t> capacity)
    : machine_(machine),
      capacity_(std::move(capacity)),
      room_(machine.n_nodes(), 0),
      taken_(capacity_.size(), 0),
      place_of_first_(capacity_.size()) {}

std::int32_t PlaceAllocator::n_free(NodeIndex node) const {
  return static_cast<std::int32_t>(free_cores(node).size());
}

CoreIndex PlaceAllocator::missing_for(CoreIndex first, std::int32_t width) const {
  for (std::int32_t i = 0; i < width; ++i) {
    const CoreIndex core{raw(first) + i};
    const bool there = raw(core) < machine_.n_cores() && machine_.node_of(core) == machine_.node_of(first);
    if (!there || capacity_[raw(core)] == 0 || taken_[raw(core)]) return core;
  }
  return kAnyCore;
}

void PlaceAllocator::take(CoreIndex first, std::int32_t width) {
  std::vector<CoreIndex> cores;
  for (std::int32_t i = 0; i < width; ++i) cores.push_back(CoreIndex{raw(first) + i});
  add_place(std::move(cores));
}

std::vector<CoreIndex> PlaceAllocator::cut(NodeIndex node, int level, std::int32_t width, std::int32_t most) {
  std::vector<CoreIndex> free = free_cores(node), firsts;
  for (int below = 0; below <= level; ++below) {  // makes the cores of each object contiguous
    std::ranges::stable_sort(free, {}, [&](CoreIndex core) { return machine_.group(below, core); });
  }
  for (auto begin = free.begin(); begin != free.end();) {
    const auto end = std::find_if(begin, free.end(), [&](CoreIndex core) {
      return machine_.group(level, core) != machine_.group(level, *begin);
    });
    for (; end - begin >= width && std::ssize(firsts) < most; begin += width) {
      firsts.push_back(*std::min_element(begin, begin + width));
      add_place({begin, begin + width});
    }
    begin = end;
  }
  return firsts;
}

Places PlaceAllocator::places() const {
  Places result;
  result.cores_start.assign(1, 0);
  for (const std::vector<CoreIndex>& place : place_of_first_) {
    result.capacity.push_back(capacity_of(place));
    result.cores.insert(result.cores.end(), place.begin(), place.end());
    result.cores_start.push_back(result.cores.size());
  }
  return result;
}

std::int32_t PlaceAllocator::capacity_of(const std::vector<CoreIndex>& place) const {
  std::int32_t capacity = place.empty() ? 0 : capacity_[raw(place.front())];
  for (const CoreIndex core : place) capacity = std::min(capacity, capacity_[raw(core)]);
  return capacity;
}

void PlaceAllocator::add_place(std::vector<CoreIndex> cores) {
  std::ranges::sort(cores);
  for (const CoreIndex core : cores) taken_[raw(core)] = 1;
  room_[raw(machine_.node_of(cores.front()))] += capacity_of(cores);
  const std::int32_t first = raw(cores.front());
  place_of_first_[first] = std::move(cores);
}

std::vector<CoreIndex> PlaceAllocator::free_cores(NodeIndex node) const {
  std::vector<CoreIndex> cores;
  for (std::int32_t i = 0; i < machine_.n_cores_on(node); ++i) {
    const CoreIndex core = machine_.core_at(node, i);
    if (capacity_[raw(core)] > 0 && !taken_[raw(core)]) cores.push_back(core);
  }
  return cores;
}

}  // namespace corewise
