// SPDX-License-Identifier: BSD-3-Clause
// The kernel, as moving memory by itself asks it (apply/world.hpp). Its nodes are the gathering's
// indices.
#pragma once

#include <atomic>
#include <vector>

#include "memory/apply/world.hpp"
#include "memory/kernel/node_set.hpp"
#include "memory/kernel/pages.hpp"
#include "support/mapped_memory.hpp"

namespace nestbind::memory {

class KernelsWorld final : public apply::World {
 public:
  // numbers: of nodes, by index. goes_on: becomes false when the process ends.
  KernelsWorld(std::vector<int> numbers, const std::atomic<bool>& goes_on);
  ~KernelsWorld() override;

  std::vector<apply::Area> areas(std::span<const Range> ranges) override;
  void find_nodes(std::span<const std::uintptr_t> pages, std::span<int> nodes) override;
  void find_all_nodes(const Range& range, std::span<int> nodes) override;
  void move(std::span<const std::uintptr_t> pages, std::span<const int> nodes) override;
  bool spread(const Range& range) override;
  void release(const Range& range) noexcept override;
  std::vector<NodeMemory> memory() override;
  std::uint64_t process_bytes() override;
  bool goes_on() override { return goes_on_.load(std::memory_order_relaxed); }

 private:
  bool has_process_policy();
  std::vector<kernel::Range> locked();
  apply::Area area_of(const Range& range, apply::Bar bar) const;
  void as_indices(std::span<int> nodes) const;

  const std::vector<int> numbers_;
  const std::atomic<bool>& goes_on_;
  kernel::NodeSet allowed_;
  std::vector<Range> spread_;  // what was given a policy, some of it long gone
  support::MappedVector<char> text_;
};

}  // namespace nestbind::memory
