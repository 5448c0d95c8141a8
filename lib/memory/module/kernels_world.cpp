// SPDX-License-Identifier: BSD-3-Clause
#include "memory/module/kernels_world.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "memory/kernel/mappings.hpp"
#include "memory/kernel/memory_nodes.hpp"
#include "memory/kernel/self.hpp"
#include "memory/watch/watched_mappings.hpp"

namespace nestbind::memory {

using apply::Area;
using apply::Bar;

namespace {

constexpr std::uint64_t kKibi = 1024;

// The first number of a text behind some words in it; 0 where there is none.
std::uint64_t number_behind(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) {
    return 0;
  }
  const std::size_t begin = text.find_first_of("0123456789", at + words.size());
  std::uint64_t number = 0;
  if (begin != std::string_view::npos) {
    std::from_chars(text.data() + begin, text.data() + text.size(), number);
  }
  return number;
}

// A mapping that the program has for itself, and no file.
bool is_private_memory(const Mapping& mapping) {
  return mapping.is_writable && mapping.is_private &&
         (mapping.name.empty() || mapping.name == "[heap]" || mapping.name.starts_with("[anon"));
}

// The text's lines, as long as `visit` returns true.
template <typename Visit>
void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!visit(text.substr(0, end))) {
      return;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

KernelsWorld::KernelsWorld(std::vector<int> numbers, const std::atomic<bool>& goes_on)
    : numbers_(std::move(numbers)), goes_on_(goes_on) {
  kernel::find_allowed(allowed_);
}

KernelsWorld::~KernelsWorld() = default;

// This thread has what its creator had; the initial one's is where the kernel tells of mappings
// without one (the first line is enough).
bool KernelsWorld::has_process_policy() {
  if (kernel::has_own_policy()) {
    return true;
  }
  char line[256];
  const std::size_t length = kernel::read_beginning("/proc/self/numa_maps", line);
  const std::string_view text(line, length);
  const std::size_t blank = text.find(' ');
  return blank != std::string_view::npos && !text.substr(blank + 1).starts_with("default");
}

// Usually nothing is, which is quickly asked; which mappings are takes more.
std::vector<kernel::Range> KernelsWorld::locked() {
  return kernel::read_all("/proc/self/status", text_) &&
                 number_behind({text_.data(), text_.size()}, "VmLck:") > 0
             ? kernel::read_locked()
             : std::vector<kernel::Range>{};
}

// Of a mapping that may be moved: its policy.
Area KernelsWorld::area_of(const Range& range, Bar bar) const {
  Area area{range, bar, false};
  if (bar != Bar::kNone) {
    return area;
  }
  kernel::PolicyFound policy;
  if (kernel::find_policy(range.begin, policy) != 0) {
    area.bar = Bar::kUntold;
    return area;
  }
  const bool is_ours = policy.is_interleaved && policy.nodes == allowed_ &&
                       std::ranges::any_of(spread_, [&](const Range& one) {
                         return one.begin <= range.begin && one.end >= range.end;
                       });
  area.is_spread = is_ours;
  area.bar = policy.is_default || is_ours ? Bar::kNone : Bar::kPolicy;
  return area;
}

std::vector<Area> KernelsWorld::areas(std::span<const Range> ranges) {
  const std::vector<kernel::Range> locks = locked();
  const bool has_policy = has_process_policy();
  std::vector<Area> areas;
  if (!kernel::read_all("/proc/thread-self/maps", text_)) {
    return areas;
  }
  std::size_t next = 0;  // of the ranges: those before it end before the mapping
  each_line({text_.data(), text_.size()}, [&](std::string_view line) {
    const auto mapping = read_mapping(line);
    while (mapping && next < ranges.size() && ranges[next].end <= mapping->begin) {
      ++next;
    }
    for (std::size_t i = next; mapping && i < ranges.size() && ranges[i].begin < mapping->end;
         ++i) {
      const Range part{std::max<std::uintptr_t>(ranges[i].begin, mapping->begin),
                       std::min<std::uintptr_t>(ranges[i].end, mapping->end)};
      if (part.begin >= part.end) {
        continue;
      }
      const bool is_locked = std::ranges::any_of(locks, [&](const kernel::Range& lock) {
        return lock.begin < part.end && part.begin < lock.end;
      });
      const Bar bar = !is_private_memory(*mapping) ? Bar::kFile
                      : is_locked                  ? Bar::kLocked
                      : has_policy                 ? Bar::kPolicy
                                                   : Bar::kNone;
      areas.push_back(area_of(part, bar));
    }
    return next < ranges.size();
  });
  return areas;
}

void KernelsWorld::as_indices(std::span<int> nodes) const {
  for (int& node : nodes) {
    const auto at = std::ranges::find(numbers_, node);
    node = at == numbers_.end() ? apply::kNoNode : static_cast<int>(at - numbers_.begin());
  }
}

void KernelsWorld::find_nodes(std::span<const std::uintptr_t> pages, std::span<int> nodes) {
  if (kernel::find_nodes(pages, nodes) != 0) {
    std::ranges::fill(nodes, apply::kNoNode);
  }
  as_indices(nodes);
}

void KernelsWorld::find_all_nodes(const Range& range, std::span<int> nodes) {
  if (kernel::find_nodes(kernel::Range{range.begin, range.end}, nodes) != 0) {
    std::ranges::fill(nodes, apply::kNoNode);
  }
  as_indices(nodes);
}

void KernelsWorld::move(std::span<const std::uintptr_t> pages, std::span<const int> nodes) {
  std::vector<int> numbers;
  numbers.reserve(nodes.size());
  for (const int index : nodes) {
    numbers.push_back(numbers_[static_cast<std::size_t>(index)]);
  }
  std::vector<int> status(pages.size());
  kernel::move(pages, numbers, status);
}

bool KernelsWorld::spread(const Range& range) {
  if (kernel::set_policy({range.begin, range.end}, kernel::Policy::kInterleave, allowed_) != 0) {
    return false;
  }
  spread_.push_back(range);
  return true;
}

// Should the kernel refuse, which it has no reason to, it is the program's policy from now on.
void KernelsWorld::release(const Range& range) noexcept {
  kernel::set_policy({range.begin, range.end}, kernel::Policy::kDefault, {});
  const auto at = std::ranges::find(spread_, range);
  if (at != spread_.end()) {
    spread_.erase(at);
  }
}

std::vector<NodeMemory> KernelsWorld::memory() {
  std::vector<NodeMemory> memory(numbers_.size());
  for (std::size_t index = 0; index < numbers_.size(); ++index) {
    const auto of_node = kernel::memory_of(kernel::kNodeFolder, numbers_[index]);
    if (of_node && allowed_.has(numbers_[index])) {
      memory[index] = {of_node->free, of_node->total};
    }
  }
  return memory;
}

std::uint64_t KernelsWorld::process_bytes() {
  return kernel::read_all("/proc/self/status", text_)
             ? kKibi * number_behind({text_.data(), text_.size()}, "VmRSS:")
             : 0;
}

}  // namespace nestbind::memory
