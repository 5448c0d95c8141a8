// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/touch_range.hpp"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <utility>

#include "support/system_call.hpp"

namespace nestbind::memory::kernel {

namespace {

void let_others_run() { support::kernel_answer(SYS_sched_yield, 0, 0, 0, 0, 0, 0); }

// Whether a huge page may be there: all of its pages are, on one node.
bool is_alike(std::span<const int> nodes) {
  return nodes.front() != kNoPage &&
         std::ranges::all_of(nodes, [&](int node) { return node == nodes.front(); });
}

// Gives access to what is mapped of it: the program may have unmapped some meanwhile.
int give_access(const Range& range, int protection) {
  const int error = protect(range, protection);
  if (error != ENOMEM) {
    return error;
  }
  if (range.pages() <= 1) {
    return is_page_mapped(range.begin) ? error : 0;
  }
  const std::uintptr_t middle = range.begin + range.pages() / 2 * page_bytes();
  const int first = give_access({range.begin, middle}, protection);
  const int second = give_access({middle, range.end}, protection);
  return first != 0 ? first : second;
}

bool is_within(const Range& part, const Range& whole) {
  return part.begin >= whole.begin && part.end <= whole.end;
}

}  // namespace

TouchRange::TouchRange(const Range& range, std::vector<Mapping> mappings,
                       std::span<const int> nodes, std::span<const Range> huge)
    : range_(range),
      piece_bytes_(kPagesOfPiece * page_bytes()),
      per_unit_(std::max<std::size_t>(huge_bytes() / piece_bytes_, 1)),
      base_(range.begin / (per_unit_ * piece_bytes_) * (per_unit_ * piece_bytes_)),
      mappings_(std::move(mappings)),
      count_((range.end - base_ + piece_bytes_ - 1) / piece_bytes_),
      pieces_(std::make_unique<Piece[]>(count_)) {
  const std::size_t page = page_bytes();
  const auto nodes_of = [&](const Range& part) {
    return nodes.subspan((part.begin - range_.begin) / page, part.pages());
  };
  long waiting = 0;
  const std::size_t unit = per_unit_ * piece_bytes_;
  for (std::uintptr_t at = base_; at + unit <= range_.end && per_unit_ > 1; at += unit) {
    const Range whole{at, at + unit};
    const auto has_it = [&](const Range& mapping) { return is_within(whole, mapping); };
    if (at >= range_.begin && std::ranges::any_of(huge, has_it) && is_alike(nodes_of(whole)) &&
        std::ranges::any_of(mappings_, has_it, &Mapping::range)) {
      const std::size_t lead = index_of(at);
      pieces_[lead].is_whole_unit = true;
      pieces_[lead].state.store(kArmed, std::memory_order_relaxed);
      ++waiting;
      for (std::size_t i = lead; i < lead + per_unit_; ++i) {
        pieces_[i].is_led = true;
      }
    }
  }
  for (std::size_t i = 0; i < count_; ++i) {
    const Range part = range_of(i);
    const auto is_there = [](int node) { return node != kNoPage; };
    if (!pieces_[i].is_led && part.begin < part.end &&
        std::ranges::any_of(nodes_of(part), is_there)) {
      pieces_[i].state.store(kArmed, std::memory_order_relaxed);
      ++waiting;
    }
  }
  waiting_.store(waiting, std::memory_order_relaxed);
}

// Of a leading piece all of its huge page.
Range TouchRange::range_of(std::size_t index) const {
  const std::size_t pieces = pieces_[index].is_whole_unit ? per_unit_ : 1;
  const std::uintptr_t begin = base_ + index * piece_bytes_;
  const Range part{std::max(begin, range_.begin),
                   std::min(begin + pieces * piece_bytes_, range_.end)};
  return part.begin < part.end ? part : Range{range_.begin, range_.begin};
}

bool TouchRange::waits(std::size_t index) const {
  if (index >= count_) {  // also in front of the first
    return false;
  }
  const unsigned state = pieces_[lead_of(index)].state.load(std::memory_order_relaxed);
  return state == kArmed;
}

// What its mappings permit, or nothing.
int TouchRange::set_access(const Range& range, bool is_given) const {
  for (const Mapping& mapping : mappings_) {
    const Range part{std::max(mapping.range.begin, range.begin),
                     std::min(mapping.range.end, range.end)};
    if (part.begin >= part.end) {
      continue;
    }
    const int error = is_given ? give_access(part, mapping.protection) : protect(part, PROT_NONE);
    if (error != 0) {
      return error;
    }
  }
  return 0;
}

// Access to a piece differs from that of its neighbours from now on, or no longer.
void TouchRange::count_mappings(std::size_t index) {
  const std::size_t pieces = pieces_[index].is_whole_unit ? per_unit_ : 1;
  const long closed = (waits(index - 1) ? 1L : 0L) + (waits(index + pieces) ? 1L : 0L);
  process_mappings_->fetch_add(2 * (closed - 1), std::memory_order_relaxed);
}

// Returns whether the range goes on.
bool TouchRange::open(std::size_t index) {
  count_mappings(index);
  const bool is_open = set_access(range_of(index), true) == 0;
  if (is_open && process_mappings_->load(std::memory_order_relaxed) < most_mappings_) {
    return true;
  }
  end();
  if (!is_open) {  // there are fewer mappings now
    set_access(range_of(index), true);
  }
  return false;
}

// To its node: a huge page by its first one, others each by itself.
void TouchRange::bring(std::size_t index, int node) const {
  const Range part = range_of(index);
  const std::size_t page = page_bytes();
  std::uintptr_t pages[kPagesOfPiece];
  int nodes[kPagesOfPiece];
  int status[kPagesOfPiece];
  std::ranges::fill(nodes, node);
  if (pieces_[index].is_whole_unit) {
    pages[0] = part.begin;
    pages[1] = part.begin + page;
    if (move({pages, 1}, {nodes, 1}, {status, 1}) != 0 ||
        find_nodes(std::span<const std::uintptr_t>(pages, 2), {status, 2}) != 0 ||
        status[1] == node) {
      return;
    }
  }
  for (std::uintptr_t at = part.begin; at < part.end;) {
    std::size_t count = 0;
    for (; count < kPagesOfPiece && at < part.end; at += page) {
      pages[count++] = at;
    }
    if (move({pages, count}, {nodes, count}, {status, count}) != 0) {
      return;
    }
  }
}

void TouchRange::take(std::size_t index, int node) {
  Piece& piece = pieces_[index];
  piece.node.store(node, std::memory_order_relaxed);
  taken_.fetch_add(1, std::memory_order_relaxed);
  if (open(index)) {
    bring(index, node);
  }
  piece.state.store(kDone, std::memory_order_release);
  waiting_.fetch_sub(1, std::memory_order_acq_rel);
}

void TouchRange::come_late(Piece& piece, int node) {
  if (piece.node.load(std::memory_order_relaxed) == node || piece.is_contested.exchange(true)) {
    return;
  }
  const long contested = contested_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (contested >= kFewestContested &&
      contested * kContestedIn >= taken_.load(std::memory_order_relaxed) && !is_given_up()) {
    end();
  }
}

bool TouchRange::touch(std::uintptr_t address, int node) {
  const std::size_t index = lead_of(index_of(address));
  Piece& piece = pieces_[index];
  unsigned state = piece.state.load(std::memory_order_acquire);
  if (state == kApart) {
    return false;
  }
  if (state == kArmed && piece.state.compare_exchange_strong(state, kTaken)) {
    take(index, node);
    return true;
  }
  come_late(piece, node);
  if (state == kTaken) {
    let_others_run();
    return true;
  }
  return piece.late.fetch_add(1, std::memory_order_relaxed) < kMostLate;
}

// Runs of neighbours that wait, by one call each.
int TouchRange::close_all() {
  for (std::size_t i = 0; i < count_;) {
    if (!waits(i)) {
      ++i;
      continue;
    }
    const Range first = range_of(lead_of(i));
    std::uintptr_t behind = first.end;
    while (i < count_ && waits(i)) {
      behind = range_of(lead_of(i)).end;
      ++i;
    }
    if (const int error = set_access({first.begin, behind}, false); error != 0) {
      return error;
    }
    if (is_given_up()) {  // meanwhile, by those who touch what is closed already
      return set_access({first.begin, behind}, true);
    }
  }
  return 0;
}

int TouchRange::arm(std::atomic<long>& mappings, long most) {
  process_mappings_ = &mappings;
  most_mappings_ = most;
  const int error = close_all();
  if (error != 0) {
    end();
  }
  return error;
}

// Only what waits is touched: elsewhere the program may have set something since, or have other
// memory by now.
void TouchRange::end() {
  is_given_up_.store(true, std::memory_order_release);
  const auto take_one = [&](std::size_t index) {
    unsigned armed = kArmed;
    return index < count_ &&
           pieces_[index].state.compare_exchange_strong(armed, kTaken, std::memory_order_acq_rel);
  };
  for (std::size_t first = 0; first < count_; ++first) {
    if (!take_one(first)) {
      continue;
    }
    const auto behind = [&](std::size_t index) {
      return index + (pieces_[index].is_whole_unit ? per_unit_ : 1);
    };
    std::size_t last = first;
    while (take_one(behind(last))) {
      last = behind(last);
    }
    set_access({range_of(first).begin, range_of(last).end}, true);
    for (std::size_t i = first; i <= last; i = behind(i)) {
      pieces_[i].state.store(kDone, std::memory_order_release);
      waiting_.fetch_sub(1, std::memory_order_acq_rel);
    }
    first = last;
  }
}

}  // namespace nestbind::memory::kernel
