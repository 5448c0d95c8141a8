// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/process_table.hpp"

#include <algorithm>
#include <utility>

namespace nestbind::memory::watch {

namespace {

constexpr std::size_t kMostFaults = std::size_t{1} << 20;
constexpr std::size_t kMostStacks = std::size_t{1} << 14;
constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;

}  // namespace

int Region::home(std::uint64_t address) const {
  constexpr std::size_t kFarthest = 512;  // pages
  const std::size_t page = (address - area.begin) * pages.size() / (area.end - area.begin);
  for (std::size_t away = 0; away < kFarthest; ++away) {
    for (const std::size_t at : {page + away, page - away}) {
      const int node = at >= pages.size() ? kNoNode : pages[at].first;
      if (node != kNoNode) {
        return node;
      }
    }
  }
  return kNoNode;
}

std::vector<std::uint64_t> Region::pages_on(bool at_end, std::size_t nodes) const {
  std::vector<std::uint64_t> count(nodes);
  for (const Page& page : pages) {
    const int node = at_end ? page.last : page.first;
    if (node >= 0 && static_cast<std::size_t>(node) < nodes) {
      count[static_cast<std::size_t>(node)] += 1;
    }
  }
  return count;
}

ProcessTable::ProcessTable(std::uint32_t process, std::uint64_t begin, std::uint64_t page_bytes)
    : process_(process), begin_(begin), page_bytes_(page_bytes) {}

template <typename Action>
void ProcessTable::each_page(std::uint64_t begin, std::uint64_t end, Action action) {
  for (std::size_t i = 0; i < live_; ++i) {
    Region& region = regions_[i];
    const std::uint64_t from = std::max(begin, region.area.begin);
    const std::uint64_t to = std::min(end, region.area.end);
    for (std::uint64_t at = from; at < to; at += page_bytes_) {
      action(region.pages[(at - region.area.begin) / page_bytes_]);
    }
  }
}

// The rules are in the README of lib/memory ("What a fault is").
FaultKind ProcessTable::kind_of(const Record& record, std::int16_t& home) {
  const auto region = std::upper_bound(
      regions_.begin(), regions_.begin() + static_cast<std::ptrdiff_t>(live_), record.address,
      [](std::uint64_t address, const Region& one) { return address < one.area.end; });
  if (region == regions_.begin() + static_cast<std::ptrdiff_t>(live_) ||
      !region->has(record.address)) {
    return FaultKind::kFirstTouch;
  }
  Page& page = region->pages[(record.address - region->area.begin) / page_bytes_];
  home = page.last;
  const auto since = static_cast<std::uint16_t>(tick(record.time) - page.fault);
  const bool is_late = record.time > look_time_;
  const bool was_seen = std::exchange(page.is_seen, false);
  const bool was_suspect = std::exchange(page.is_suspect, false);
  const bool was_there = std::exchange(page.was_there, true);
  page.fault = tick(record.time);
  if (!is_late || was_suspect) {
    return FaultKind::kUnclear;
  }
  if (was_seen && since > kLookInterval >> kTick) {
    return FaultKind::kHint;
  }
  // The first touch of a huge page creates all its small pages. The kernel has perhaps not reported
  // their nodes yet.
  const std::uint64_t begin =
      std::max(record.address / kHugePage * kHugePage, region->area.begin) - region->area.begin;
  std::uint16_t& touched = region->pages[begin / page_bytes_].piece;
  const auto since_touch = static_cast<std::uint16_t>(tick(record.time) - touched);
  if (was_there || (touched != 0 && since_touch > kLookInterval >> kTick)) {
    return FaultKind::kUnclear;
  }
  touched = tick(record.time);
  return FaultKind::kFirstTouch;
}

// There may be very many faults. So the table does not keep a stack for every fault.
std::uint32_t ProcessTable::keep_stack(const Record& record) {
  constexpr unsigned kPiece = 21;
  constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;
  const std::uint64_t key = (record.code * kSpread) ^ ((record.address >> kPiece) * 7 * kSpread);
  const auto known = stack_numbers_.find(key);
  if (known != stack_numbers_.end() || stacks_.size() == kMostStacks) {
    return known != stack_numbers_.end() ? known->second : kNoStack;
  }
  stacks_.push_back(record);
  return stack_numbers_[key] = static_cast<std::uint32_t>(stacks_.size() - 1);
}

void ProcessTable::keep(const Fault& fault) {
  if (++skipped_ < thinned_) {
    return;
  }
  skipped_ = 0;
  faults_.push_back(fault);
  faults_.back().weight *= thinned_;
  if (faults_.size() < kMostFaults) {
    return;
  }
  for (std::size_t i = 0; 2 * i < faults_.size(); ++i) {
    faults_[i] = faults_[2 * i];
    faults_[i].weight *= 2;
  }
  faults_.resize(faults_.size() / 2);
  unchecked_ /= 2;
  thinned_ *= 2;
}

// A weight above 1 means several faults, but only the last fault has an address. The earlier faults
// were mostly on the pages before this page.
void ProcessTable::note_touch(const Fault& fault) {
  if (fault.kind == FaultKind::kFirstTouch) {
    const std::uint64_t before = std::min(fault.address, (fault.weight - 1) * page_bytes_);
    each_page(fault.address - before, fault.address + 1, [&](Page& page) {
      page.touch = page.touch == kNoNode && page.first == kNoNode ? fault.node : page.touch;
    });
  }
}

void ProcessTable::add_fault(const Record& record, int node) {
  Fault fault;
  fault.address = record.address;
  fault.time = record.time;
  fault.thread = record.thread;
  fault.weight = static_cast<std::uint32_t>(std::min<std::uint64_t>(record.weight, 1U << 20U));
  fault.node = static_cast<std::int16_t>(node);
  fault.kind = kind_of(record, fault.home);
  fault.stack = fault.kind == FaultKind::kFirstTouch ? keep_stack(record) : kNoStack;
  note_touch(fault);
  keep(fault);
}

void ProcessTable::add_mapping(std::uint64_t begin, std::uint64_t end, std::uint64_t time) {
  each_page(begin, end, [&](Page& page) {
    page.was_there = page.is_seen = false;
    page.piece = 0;
    page.fault = tick(time);
  });
}

Region ProcessTable::new_region(const Area& area, std::uint64_t born) const {
  const std::size_t pages = (area.end - area.begin + page_bytes_ - 1) / page_bytes_;
  return {area, born, 0, std::vector<Page>(pages)};
}

void ProcessTable::expect(std::uint64_t begin, std::uint64_t end, std::uint64_t least,
                          std::uint64_t time) {
  for (std::size_t i = 0; i <= live_; ++i) {
    const std::uint64_t next = i == live_ ? end : std::min(end, regions_[i].area.begin);
    if (begin < next && next - begin >= least) {
      regions_.insert(regions_.begin() + static_cast<std::ptrdiff_t>(i),
                      new_region({begin, next, ""}, time));
      ++live_;
    }
    begin = i == live_ ? begin : std::max(begin, regions_[i].area.end);
  }
}

void ProcessTable::add_fork(std::uint64_t time) {
  each_page(0, UINT64_MAX, [&](Page& page) {
    page.is_seen = false;
    page.is_suspect = true;
    page.fault = tick(time);
  });
}

void ProcessTable::begin_look(std::uint64_t time, const std::vector<Area>& areas) {
  std::vector<Region> before = std::move(regions_);
  regions_.clear();
  std::vector<bool> is_kept(before.size());
  for (const Area& area : areas) {
    Region region = new_region(area, looks_ == 0 ? begin_ : look_time_);
    for (std::size_t i = 0; i < live_; ++i) {
      const Region& old = before[i];
      const std::uint64_t from = std::max(old.area.begin, area.begin);
      const std::uint64_t to = std::min(old.area.end, area.end);
      for (std::uint64_t at = from; at < to; at += page_bytes_) {
        region.pages[(at - area.begin) / page_bytes_] =
            old.pages[(at - old.area.begin) / page_bytes_];
      }
      region.born = old.area == area ? old.born
                    : from < to      ? std::min(region.born, old.born)
                                     : region.born;
      is_kept[i] = is_kept[i] || (from < to && 2 * (to - from) > old.area.end - old.area.begin);
    }
    regions_.push_back(std::move(region));
  }
  const std::size_t live = regions_.size();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!is_kept[i]) {
      before[i].died = i < live_ ? time : before[i].died;
      regions_.push_back(std::move(before[i]));
    }
  }
  live_ = live;
  look_time_ = time;
  ++looks_;
}

void ProcessTable::see(Region& region, std::size_t number, int node, bool may_have_moved) {
  Page& page = region.pages[number];
  if (!page.was_there) {
    page.fault = tick(look_time_);  // the page may have appeared just now
  }
  page.was_there = true;
  page.is_seen = node != kNoNode || page.last != kNoNode;
  page.last = static_cast<std::int16_t>(node == kNoNode ? page.last : node);
  page.may_have_moved = page.first == kNoNode ? may_have_moved : page.may_have_moved;
  page.first = page.first == kNoNode ? page.last : page.first;
}

void ProcessTable::miss(Region& region, std::size_t number) {
  region.pages[number].was_there = false;
  region.pages[number].piece = 0;
  region.pages[number].is_seen = false;
}

void ProcessTable::end_look(std::uint64_t hints) {
  std::uint64_t taken = 0;
  for (std::size_t i = unchecked_; i < faults_.size(); ++i) {
    taken += faults_[i].kind == FaultKind::kHint ? faults_[i].weight : 0;
  }
  // The weight of a sample may be larger than the number of faults.
  constexpr std::uint64_t kSlack = 16;
  if (taken > hints + hints / 4 + kSlack) {
    for (std::size_t i = unchecked_; i < faults_.size(); ++i) {
      Fault& fault = faults_[i];
      fault.kind = fault.kind == FaultKind::kHint ? FaultKind::kUnclear : fault.kind;
    }
  }
  unchecked_ = faults_.size();
}

void ProcessTable::fill(Region& region) const {
  for (const Fault& fault : faults_of(region)) {
    std::size_t page = (fault.address - region.area.begin) / page_bytes_;
    for (std::uint32_t i = 0; i < fault.weight && fault.kind == FaultKind::kFirstTouch; ++i) {
      Page& touched = region.pages[page];
      touched.was_there = true;
      touched.last = touched.last == kNoNode ? fault.node : touched.last;
      touched.first = touched.first == kNoNode ? touched.last : touched.first;
      if (page-- == 0) {
        break;
      }
    }
  }
}

// If a region has no hinting faults, the kernel's balancing has not moved the region.
void ProcessTable::settle(Region& region) const {
  const std::vector<Fault> faults = faults_of(region);
  if (std::ranges::find(faults, FaultKind::kHint, &Fault::kind) == faults.end()) {
    return;
  }
  for (Page& page : region.pages) {
    page.first = page.may_have_moved ? page.touch : page.first;
  }
}

void ProcessTable::end() {
  for (std::size_t i = 0; i < live_; ++i) {
    fill(regions_[i]);
  }
  std::ranges::for_each(regions_, [this](Region& region) { settle(region); });
}

std::vector<Fault> ProcessTable::faults_of(const Region& region) const {
  std::vector<Fault> found;
  std::ranges::copy_if(faults_, std::back_inserter(found), [&](const Fault& fault) {
    return region.has(fault.address) && fault.time >= region.born &&
           (region.died == 0 || fault.time <= region.died);
  });
  return found;
}

}  // namespace nestbind::memory::watch
