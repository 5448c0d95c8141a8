// SPDX-License-Identifier: BSD-3-Clause
#include "memory/module/applying.hpp"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <new>
#include <string_view>

#include "memory/kernel/mappings.hpp"
#include "memory/kernel/pages.hpp"
#include "memory/kernel/self.hpp"
#include "memory/module/kernels_world.hpp"

namespace nestbind::memory {

namespace {

constexpr double kMillisecond = 1e-3;
constexpr double kMicroseconds = 1e6;  // of a second
// Nothing is moved in an interval: the pause behind it is so many times as long as it took.
constexpr double kPausesOfApply = 33;                     // at most 3 % of a processor
constexpr std::size_t kMostUnits = std::size_t{1} << 18;  // 16 GiB of memory, where pages are small

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// How often the kernel's balancing has been all over the process's memory; -1: it does not tell.
long scan_of_kernel() {
  support::MappedVector<char> text;
  if (!kernel::read_all("/proc/thread-self/sched", text)) {
    return -1;
  }
  constexpr std::string_view kKey = "numa_scan_seq";
  const std::string_view all(text.data(), text.size());
  const std::size_t at = all.find(kKey);
  const std::size_t digits =
      at == std::string_view::npos ? at : all.find_first_of("0123456789", at + kKey.size());
  long scan = -1;
  if (digits != std::string_view::npos) {
    std::from_chars(all.data() + digits, all.data() + all.size(), scan);
  }
  return scan;
}

HugePages huge_pages() {
  return kernel::is_huge_usual() ? HugePages::kEverywhere
         : kernel::may_be_huge() ? HugePages::kSomewhere
                                 : HugePages::kNowhere;
}

}  // namespace

Applying::Applying(Gathering& gathering, int every, bool always)
    : gathering_(gathering), every_(every * kMillisecond), always_(always) {
  gathering.tell_hints(*this);
}

Applying::~Applying() = default;

bool Applying::begin() {
  is_working_ = gathering_.refusal() == 0 && gathering_.is_balanced() &&
                gathering_.node_count() > 1 && gathering_.node_count() < kMostCountedNodes;
  return is_working_;
}

// By the thread that samples, which has memory of its own.
void Applying::make() {
  std::vector<int> numbers;
  numbers.reserve(static_cast<std::size_t>(gathering_.node_count()));
  for (int index = 0; index < gathering_.node_count(); ++index) {
    numbers.push_back(gathering_.node_of_index(index));
  }
  world_ = std::make_unique<KernelsWorld>(std::move(numbers), goes_on_);
  keeper_ = std::make_unique<apply::Keeper>(
      *world_, apply::Manner{gathering_.node_count(),
                             {kernel::page_bytes(), kernel::huge_bytes()},
                             huge_pages(),
                             always_,
                             kMostUnits});
  scan_ = scan_of_kernel();
}

void Applying::hint(std::uint64_t address, int index) {
  if (keeper_ != nullptr && !has_no_memory_) {
    keeper_->see(address, index);
    has_hints_ = true;
  }
}

// Where the kernel does not tell, an interval with samples is taken to be a scan.
void Applying::note_scans() {
  const long scan = scan_of_kernel();
  long ended = scan < 0 || scan_ < 0 ? (has_hints_ ? 1 : 0) : scan - scan_;
  for (; ended > 0 && ended <= 1000; --ended) {
    keeper_->end_scan();
  }
  scan_ = scan;
  has_hints_ = false;
}

// Whole chunks: a policy of a part would part the mapping, and who touched which part first is
// known as long only as no sample was lost.
std::vector<apply::Found> Applying::found() const {
  std::map<std::uintptr_t, apply::Found> chunks;
  gathering_.visit([&](const Known& region) {
    if (!region.is_gone) {
      apply::Found& found = chunks[region.chunk.begin];
      found = {region.chunk, found.there + region.there};
    }
  });
  std::vector<apply::Found> regions;
  for (const auto& [begin, found] : chunks) {
    if (found.there >= gathering_.least() / 16 * 15) {
      regions.push_back(found);
    }
  }
  std::uintptr_t behind = 0;
  std::erase_if(regions, [&](const apply::Found& one) {
    const bool is_twice = one.range.begin < behind;
    behind = std::max(behind, one.range.end);
    return is_twice;
  });
  return regions;
}

void Applying::step(double seconds) try {
  if (!is_working_ || has_no_memory_ || !goes_on_.load(std::memory_order_relaxed)) {
    return;
  }
  if (keeper_ == nullptr) {
    make();
    last_ = seconds;
    next_ = seconds + every_;
  }
  if (seconds < next_) {
    return;
  }
  const std::uint64_t before = keeper_->record().pages() + keeper_->record().pages_kept;
  const double begin = processor_seconds();
  note_scans();
  keeper_->interval(found(), static_cast<std::uint64_t>((seconds - last_) * kMicroseconds));
  last_ = seconds;
  const bool has_moved = keeper_->record().pages() + keeper_->record().pages_kept > before;
  const double pause = has_moved ? 0 : kPausesOfApply * (processor_seconds() - begin);
  next_ = seconds + std::max(every_, pause);
} catch (const std::bad_alloc&) {
  has_no_memory_ = true;
  if (keeper_ != nullptr) {
    keeper_->give_back();
  }
}

void Applying::look() {
  if (keeper_ != nullptr && !has_no_memory_) {
    keeper_->look(found());
  }
}

const apply::Record* Applying::record() const {
  return keeper_ == nullptr ? nullptr : &keeper_->record();
}

std::uint64_t Applying::lost() const { return keeper_ == nullptr ? 0 : keeper_->samples().lost(); }

}  // namespace nestbind::memory
