// SPDX-License-Identifier: BSD-3-Clause
#include "memory/apply/carry.hpp"

#include <algorithm>
#include <utility>

#include "memory/apply/areas.hpp"

namespace nestbind::memory::apply {
namespace {

constexpr std::uint64_t kBatchBytes = std::uint64_t{16} << 20;

Range range_of(const Unit& unit) { return {unit.begin, unit.end()}; }

// A unit of a batch, with its pages.
struct Load {
  const Order* order = nullptr;
  Carried* carried = nullptr;
  std::vector<int> before;  // the node of each page
  std::vector<int> now;
};

class Batch {
 public:
  Batch(World& world, std::size_t page) : world_(world), page_(page) {}

  void add(const Order& order, Carried& carried);
  void carry();

 private:
  std::uintptr_t address(const Load& load, std::size_t i) const {
    return load.order->unit.begin + i * page_;
  }
  void find(const Load& load, std::vector<int>& nodes) {
    nodes.assign(load.order->unit.bytes / page_, kNoNode);
    world_.find_all_nodes(range_of(load.order->unit), nodes);
  }
  void move(bool leads_only);
  static void count(Load& load);
  static bool is_complete(const Load& load) { return load.carried->there == load.carried->pages; }

  World& world_;
  const std::size_t page_;
  std::vector<Load> loads_;
};

void Batch::add(const Order& order, Carried& carried) {
  loads_.push_back({&order, &carried, {}, {}});
  find(loads_.back(), loads_.back().before);
  loads_.back().now = loads_.back().before;
}

// Of what may be a huge page the first page that is there goes for all.
void Batch::move(bool leads_only) {
  std::vector<std::pair<int, std::uintptr_t>> wanted;  // by node: the kernel takes runs together
  for (const Load& load : loads_) {
    for (std::size_t i = 0; i < load.now.size(); ++i) {
      if (load.now[i] == kNoNode || load.now[i] == load.order->to) {
        continue;
      }
      wanted.emplace_back(load.order->to, address(load, i));
      if (leads_only && load.order->unit.is_huge) {
        break;
      }
    }
  }
  std::ranges::sort(wanted);
  std::vector<std::uintptr_t> pages;
  std::vector<int> nodes;
  for (const auto& [node, page] : wanted) {
    pages.push_back(page);
    nodes.push_back(node);
  }
  if (!pages.empty()) {
    world_.move(pages, nodes);
  }
}

void Batch::count(Load& load) {
  Carried& carried = *load.carried;
  carried = {};
  for (std::size_t i = 0; i < load.now.size(); ++i) {
    const bool is_there = load.now[i] == load.order->to;
    carried.pages += load.now[i] != kNoNode ? 1U : 0U;
    carried.there += is_there ? 1U : 0U;
    carried.arrived += is_there && load.before[i] != load.order->to ? 1U : 0U;
  }
}

void Batch::carry() {
  constexpr int kRounds = 3;  // a page that something holds may be free the next time
  for (int round = 0; round < kRounds && !loads_.empty(); ++round) {
    move(round == 0);
    bool is_done = true;
    for (Load& load : loads_) {
      if (round == 0 || !is_complete(load)) {
        find(load, load.now);
        count(load);
        is_done = is_done && is_complete(load);
      }
    }
    if (is_done) {
      return;
    }
  }
}

// The orders from `first` on that are one batch: the number behind the last.
std::size_t end_of_batch(std::span<const Order> orders, std::size_t first) {
  std::uint64_t bytes = 0;
  std::size_t end = first;
  for (; end < orders.size() && (end == first || bytes + orders[end].unit.bytes <= kBatchBytes);
       ++end) {
    bytes += orders[end].unit.bytes;
  }
  return end;
}

}  // namespace

std::vector<Carried> carry(World& world, std::span<const Order> orders, std::size_t page) {
  std::vector<Carried> carried(orders.size());
  for (std::size_t first = 0; first < orders.size() && world.goes_on();) {
    const std::size_t end = end_of_batch(orders, first);
    std::vector<Range> ranges;
    for (std::size_t i = first; i < end; ++i) {
      ranges.push_back(range_of(orders[i].unit));
    }
    const std::vector<Area> areas = world.areas(ranges);
    Batch batch(world, page);
    for (std::size_t i = first; i < end; ++i) {
      carried[i].is_gone = !is_free(ranges[i - first], areas);
      if (!carried[i].is_gone) {
        batch.add(orders[i], carried[i]);
      }
    }
    batch.carry();
    first = end;
  }
  return carried;
}

}  // namespace nestbind::memory::apply
