// SPDX-License-Identifier: BSD-3-Clause
// Implements memory_border.hpp: checks arguments, and catches exceptions.
#include <errno.h>

#include <algorithm>
#include <exception>
#include <vector>

#include "memory/kernel/mappings.hpp"
#include "memory/kernel/memory_nodes.hpp"
#include "memory/kernel/pages.hpp"
#include "memory/kernel/replicas.hpp"
#include "memory/module/members.hpp"
#include "memory/module/memory_border.hpp"
#include "memory/spread/mover.hpp"
#include "memory/spread/page_parts.hpp"

namespace nestbind::memory {

namespace {

using kernel::NodeSet;

int as_nestbind_error(int error) {
  return error == 0        ? NESTBIND_OK
         : error == ENOMEM ? NESTBIND_NO_MEMORY
         : error == EFAULT ? NESTBIND_NOT_MAPPED
                           : NESTBIND_NOT_PERMITTED;
}

bool is_range(const void* p, std::size_t bytes) {
  return p != nullptr &&
         reinterpret_cast<std::uintptr_t>(p) + bytes >= reinterpret_cast<std::uintptr_t>(p);
}

// The kernel owns the last page of the address space. The end of this page does not fit into
// uintptr_t.
bool is_mapped(const void* p, std::size_t bytes) {
  const kernel::Range range = kernel::pages_around(p, bytes);
  return (range.begin < range.end || bytes == 0) && kernel::check_mapped(range) == 0;
}

int check_range(const void* p, std::size_t bytes) {
  if (!is_range(p, bytes)) {
    return NESTBIND_BAD_ARGUMENT;
  }
  return is_mapped(p, bytes) ? int{NESTBIND_OK} : int{NESTBIND_NOT_MAPPED};
}

// is_other: true if the process must not use the wanted node.
struct Wanted {
  spread::Goal goal;
  bool is_other;
};

Wanted wanted_of(const void* p, std::size_t bytes, int how, const Caller& caller,
                 const NodeSet& allowed) {
  const kernel::Nodes& nodes = kernel::nodes();
  if (how == NESTBIND_INTERLEAVE) {
    return {spread::Goal::evenly(module::nodes_of_partition(caller, nodes, allowed)), false};
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(p);
  if (how == NESTBIND_LOCAL) {
    const int own = kernel::own_node();
    const int node = nodes.nearest(own, allowed);
    return {spread::Goal::of_parts({{begin + bytes, node}}), node != own};
  }
  std::vector<spread::Member> members = module::members_of(caller, nodes);
  bool is_other = false;
  for (spread::Member& member : members) {
    for (int& node : member) {
      const int usable = nodes.nearest(node, allowed);
      is_other = is_other || usable != node;
      node = usable;
    }
  }
  return {spread::Goal::of_parts(spread::block(begin, bytes, members)), is_other};
}

int spread_range(void* p, std::size_t bytes, int how, const Caller& caller) {
  if (how != NESTBIND_BLOCK && how != NESTBIND_INTERLEAVE && how != NESTBIND_LOCAL) {
    return NESTBIND_BAD_ARGUMENT;
  }
  if (const int error = check_range(p, bytes); error != NESTBIND_OK || bytes == 0) {
    return error;
  }
  const kernel::Range range = kernel::pages_around(p, bytes);
  if (kernel::nodes().count() == 1) {
    return NESTBIND_OK;
  }
  NodeSet allowed;
  if (const int error = kernel::find_allowed(allowed)) {
    return as_nestbind_error(error);
  }
  const Wanted wanted = wanted_of(p, bytes, how, caller, allowed);
  spread::Pages pages;
  const spread::Outcome outcome = bring(pages, range, wanted.goal, kernel::huge_bytes());
  if (outcome.error != 0) {
    return as_nestbind_error(outcome.error);
  }
  if (outcome.policy_error == EPERM || outcome.policy_error == ENOSYS) {
    return NESTBIND_NOT_PERMITTED;
  }
  const bool is_whole = outcome.elsewhere == 0 && outcome.policy_error == 0 && !wanted.is_other;
  return is_whole ? int{NESTBIND_OK} : int{NESTBIND_PARTLY_PLACED};
}

int replicate_range(const void* p, std::size_t bytes, const CpuMask& partition,
                    nestbind_replicas** replicas) {
  if (replicas == nullptr || bytes == 0) {
    return NESTBIND_BAD_ARGUMENT;
  }
  if (const int error = check_range(p, bytes); error != NESTBIND_OK) {
    return error;
  }
  const kernel::Nodes& nodes = kernel::nodes();
  std::vector<int> wanted = nodes.numbers;
  if (nodes.count() > 1) {
    NodeSet allowed;
    if (const int error = kernel::find_allowed(allowed)) {
      return as_nestbind_error(error);
    }
    wanted = module::nodes_of_partition({.partition = partition}, nodes, allowed);
  }
  return kernel::replicate(p, bytes, wanted, *replicas);
}

int count_pages(const kernel::Range& range, std::vector<std::size_t>& count) {
  constexpr std::size_t kAtOnce = 16384;
  std::vector<int> nodes(std::min(range.pages(), kAtOnce));
  const std::size_t step = kAtOnce * kernel::page_bytes();
  for (std::uintptr_t at = range.begin; at < range.end; at += std::min(step, range.end - at)) {
    const kernel::Range some{at, at + std::min(step, range.end - at)};
    const std::span found(nodes.data(), some.pages());
    const int error = kernel::nodes().count() == 1 ? kernel::find_resident(some, found)
                                                   : kernel::find_nodes(some, found);
    if (error != 0) {
      return error;
    }
    for (const int node : found) {
      if (node != kernel::kNoPage) {
        count[static_cast<std::size_t>(node)] += 1;
      }
    }
  }
  return 0;
}

int where_range(const void* p, std::size_t bytes, std::size_t* pages_on_node, int capacity) {
  if (capacity < 0 || (pages_on_node == nullptr && capacity > 0) || !is_range(p, bytes)) {
    return NESTBIND_BAD_ARGUMENT;
  }
  std::fill_n(pages_on_node, capacity, std::size_t{0});
  if (!is_mapped(p, bytes)) {
    return NESTBIND_NOT_MAPPED;
  }
  const kernel::Range range = kernel::pages_around(p, bytes);
  std::vector<std::size_t> count(kernel::kMostNodes);
  if (const int error = count_pages(range, count)) {
    return as_nestbind_error(error);
  }
  const auto room = std::min(count.size(), static_cast<std::size_t>(capacity));
  std::copy_n(count.begin(), room, pages_on_node);
  const bool is_all = std::all_of(count.begin() + static_cast<std::ptrdiff_t>(room), count.end(),
                                  [](std::size_t pages) { return pages == 0; });
  return is_all ? int{NESTBIND_OK} : int{NESTBIND_PARTLY_PLACED};
}

int release(nestbind_replicas* replicas) {
  kernel::release(replicas);
  return NESTBIND_OK;
}

template <auto kFunction, typename... Arguments>
int guarded(Arguments... arguments) noexcept {
  try {
    return kFunction(arguments...);
  } catch (const std::exception&) {  // std::bad_alloc, or a lock that cannot be taken
    return NESTBIND_NO_MEMORY;
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const MemoryApi nestbind_memory_2;
const MemoryApi nestbind_memory_2 = {guarded<spread_range>, guarded<replicate_range>, release,
                                     guarded<where_range>};

}  // namespace nestbind::memory
