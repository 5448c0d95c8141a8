// SPDX-License-Identifier: BSD-3-Clause
// Interleaves regions that nodes share unevenly, while the program runs. At the next fork the
// library in the program sets the memory policy. Because of this policy the kernel's balancing
// leaves the pages where they are.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "cli/memory/memory_parts.hpp"
#include "memory/kernel/mappings.hpp"
#include "memory/kernel/memory_nodes.hpp"
#include "memory/kernel/pages.hpp"
#include "memory/orders/order_file.hpp"
#include "memory/spread/mover.hpp"

namespace nestbind::cli::memory {

namespace {

namespace kernel = nestbind::memory::kernel;
using nestbind::memory::Order;
using nestbind::memory::OrderFile;

constexpr int kMostLooks = 20;  // after this number of looks, unmoved pages stay where they are

}  // namespace

Applier::Applier(const std::string& folder) : name_(folder + "/orders") {
  const int file = open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const int refused = file < 0 ? errno : posix_fallocate(file, 0, sizeof(OrderFile));
  void* const mapped =
      refused != 0 ? MAP_FAILED
                   : mmap(nullptr, sizeof(OrderFile), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) {
    fault_ = fmt::format("{}: {}", name_, std::strerror(refused != 0 ? refused : errno));
  } else {
    auto* const orders = new (mapped) OrderFile;
    orders->owner = getpid();
    orders->owner_started = nestbind::memory::start_of(getpid());
    mapped_ = orders;
  }
  if (file >= 0) {
    close(file);
  }
}

Applier::~Applier() {
  if (mapped_ != nullptr) {
    munmap(mapped_, sizeof(OrderFile));
    unlink(name_.c_str());
  }
}

bool Applier::order(Applied& applied, bool is_interleaved) {
  auto& file = *static_cast<OrderFile*>(mapped_);
  const std::uint32_t count = file.count.load();
  if (count == OrderFile::kMost) {
    applied.is_over = true;
    return false;
  }
  Order& order = file.orders[count];
  order.begin = applied.begin;
  order.end = applied.end;
  order.process = static_cast<int>(applied.process);
  order.is_interleaved = is_interleaved ? 1 : 0;
  for (const int node : kernel::nodes().numbers) {
    order.nodes[node / Order::kWordBits] |= std::uint64_t{1} << (node % Order::kWordBits);
  }
  file.count.store(count + 1, std::memory_order_release);
  applied.order = static_cast<int>(count);
  return true;
}

void Applier::go_on(Applied& applied, const watch::Facts& facts) {
  const int process = static_cast<int>(applied.process);
  auto& file = *static_cast<OrderFile*>(mapped_);
  const int answer = file.orders[applied.order].answer.load(std::memory_order_acquire);
  if (answer > 0) {
    applied.fault = std::strerror(answer);
    applied.is_over = true;
    return;
  }
  if (answer < 0) {
    return;  // The program answers at its next fork.
  }
  applied.has_policy = true;
  const kernel::Range range{applied.begin, applied.end};
  nestbind::memory::spread::Pages pages(process);
  std::vector<int> now(range.pages(), kernel::kNoPage);
  pages.find_nodes(range, now);
  const std::vector<int> before = now;
  const auto goal = nestbind::memory::spread::Goal::evenly(kernel::nodes().numbers);
  const bool is_moved = bring(pages, range, goal, kernel::huge_bytes()).error == 0;
  if (!is_moved || pages.find_nodes(range, now) != 0) {
    applied.is_over = true;
    return;
  }
  std::ranges::fill(applied.after, 0);
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] >= 0 && static_cast<std::size_t>(now[i]) < applied.after.size()) {
      applied.after[static_cast<std::size_t>(now[i])] += 1;
      applied.pages += before[i] >= 0 && before[i] != now[i] ? 1 : 0;
    }
  }
  applied.is_over = ++applied.looks >= kMostLooks;
  // Counts local and remote uses again, by the nodes on which the pages are now.
  constexpr double kFall = 5;
  const auto now_on = [&](const watch::Use& use) {
    return now[std::min((use.address - applied.begin) / kernel::page_bytes(), now.size() - 1)];
  };
  if (figures_of(facts, now_on).local < applied.local - kFall) {
    applied.is_undone = order(applied, false);
    applied.is_over = true;
  }
}

void Applier::looked(const Watched& watched, const Watcher& watcher) {
  const std::vector<int>& nodes = kernel::nodes().numbers;
  if (mapped_ == nullptr || nodes.size() < 2) {
    return;
  }
  for (const watch::Region& region : watched.table.regions()) {
    const auto known = std::ranges::find_if(done_, [&](const Applied& applied) {
      return applied.process == watched.table.process() && applied.begin < region.area.end &&
             region.area.begin < applied.end;
    });
    if (region.died != 0) {
      continue;
    }
    if (known != done_.end()) {
      if (!known->is_over) {
        go_on(*known, facts_of(watched, region, watcher, true));
      }
      continue;
    }
    const watch::Facts facts = facts_of(watched, region, watcher, true);
    const watch::Verdict verdict = judge(facts);
    const auto on = region.pages_on(true, static_cast<std::size_t>(nodes.back()) + 1);
    if (!is_to_be_interleaved(facts, verdict, percent_of(on))) {
      continue;
    }
    done_.push_back({watched.table.process(), region.area.begin, region.area.end, 0, on, on,
                     std::min(verdict.now.local, 100.0 / static_cast<double>(nodes.size())), false,
                     false, "", -1, 0, false});
    if (!order(done_.back(), true)) {
      done_.back().fault = fmt::format("the command makes at most {} changes", OrderFile::kMost);
    }
  }
}

}  // namespace nestbind::cli::memory
