/// Machine::part(): a machine of some of the cores.
#include <algorithm>

#include "corewise/machine.hpp"
#include "topology/fingerprint.hpp"

namespace corewise {
namespace {

/// Fills `numbered`: [i] object of cores[i], renumbered from 0. Returns the number of objects.
std::int32_t number_anew(std::span<const CoreIndex> cores, const std::vector<std::int32_t>& object_of_core,
                         std::vector<std::int32_t>& numbered) {
  numbered.reserve(cores.size());
  std::int32_t n_objects = 0;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const bool is_new = i == 0 || object_of_core[raw(cores[i])] != object_of_core[raw(cores[i - 1])];
    if (is_new) ++n_objects;
    numbered.push_back(n_objects - 1);
  }
  return n_objects;
}

}  // namespace

std::vector<std::int32_t> Machine::node_numbers(std::span<const CoreIndex> cores) const {
  std::vector<std::int32_t> numbers(n_nodes(), -1);
  for (const CoreIndex core : cores) numbers[node_of_core_[raw(core)]] = 0;
  std::int32_t n_kept = 0;
  for (std::int32_t& number : numbers) {
    if (number == 0) number = n_kept++;
  }
  return numbers;
}

Machine Machine::part(std::span<const CoreIndex> cores) const {
  Machine part;
  part.name_ = name_;
  part.levels_ = levels_;
  part.node_level_ = node_level_;
  part.level_of_bit_ = level_of_bit_;
  part.distance_of_level_ = distance_of_level_;
  part.has_os_indices_ = has_os_indices_;
  for (const std::vector<std::int32_t>& object_of_core : group_) {
    part.n_groups_.push_back(number_anew(cores, object_of_core, part.group_.emplace_back()));
  }
  const std::vector<std::int32_t> numbers = node_numbers(cores);
  part.first_core_.resize(*std::ranges::max_element(numbers) + 1);
  part.n_cores_on_.assign(part.first_core_.size(), 0);
  part.first_pu_.push_back(0);
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const std::int32_t node = numbers[node_of_core_[raw(cores[i])]];
    part.node_of_core_.push_back(node);
    if (part.n_cores_on_[node]++ == 0) part.first_core_[node] = static_cast<std::int32_t>(i);
    part.code_.push_back(code_[raw(cores[i])]);  // stays unique without its siblings
    for (const Pu& pu : pus(cores[i])) part.pus_.push_back(pu);
    part.first_pu_.push_back(static_cast<std::int32_t>(part.pus_.size()));
  }
  if (torus_) {
    part.torus_ = torus_;
    part.torus_->point_of_node.clear();
    for (std::int32_t node = 0; node < part.n_nodes(); ++node) {
      const NodeIndex before = node_of(cores[static_cast<std::size_t>(part.first_core_[node])]);
      part.torus_->point_of_node.push_back(torus_->point_of_node[static_cast<std::size_t>(raw(before))]);
    }
  }
  part.fingerprint_ = corewise::fingerprint(part, {0, part.n_cores()}, part.n_levels());
  return part;
}

}  // namespace corewise
