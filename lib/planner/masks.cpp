// SPDX-License-Identifier: BSD-3-Clause
#include "planner/masks.hpp"

#include <algorithm>
#include <utility>

namespace nestbind::planner {
namespace {

constexpr std::size_t kMasksInBlock = 64;

void set(const machine::Slot& slot, unsigned long* bits) {
  for (const int cpu : slot.cpus) {
    mask::add(bits, cpu);
  }
}

}  // namespace

CpuMask Masks::of(const machine::Machine& machine, const std::vector<int>& slots) {
  std::vector<unsigned long> bits(words_, 0);
  for (const int slot : slots) {
    set(machine.slots[slot], bits.data());
  }
  return {bytes(), areas_.insert(std::move(bits)).first->data()};
}

CpuMask Masks::of(const machine::Slot& slot) {
  std::size_t& latest = latest_with_[slot.cpus.front()];
  for (std::size_t known = latest; known != kNone; known = slots_[known].earlier) {
    const auto is_in = [&](int cpu) { return mask::has(slots_[known].bits, cpu); };
    if (slots_[known].cpus == slot.cpus.size() && std::ranges::all_of(slot.cpus, is_in)) {
      return {bytes(), slots_[known].bits};
    }
  }
  unsigned long* const bits = new_bits();
  slots_.push_back({bits, slot.cpus.size(), latest});
  set(slot, bits);
  latest = slots_.size() - 1;
  return {bytes(), bits};
}

unsigned long* Masks::new_bits() {
  if (slots_.size() == blocks_.size() * kMasksInBlock) {
    blocks_.emplace_back(words_ * kMasksInBlock, 0);
  }
  return blocks_.back().data() + words_ * (slots_.size() % kMasksInBlock);
}

}  // namespace nestbind::planner
