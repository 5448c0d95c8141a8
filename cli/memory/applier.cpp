// SPDX-License-Identifier: BSD-3-Clause
// Memory that several nodes share, and that lies unevenly, is interleaved while the program runs:
// this process moves the pages, and the library in the program sets the policy at its next fork,
// after which the kernel's balancing leaves it alone.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "cli/memory/memory_parts.hpp"
#include "memory/kernel/memory_nodes.hpp"
#include "memory/kernel/pages.hpp"
#include "memory/kernel/text_file.hpp"
#include "memory/orders/order_file.hpp"
#include "support/stat_line.hpp"

namespace nestbind::cli::memory {

namespace {

namespace kernel = nestbind::memory::kernel;
namespace watch = nestbind::memory::watch;
using nestbind::memory::Order;
using nestbind::memory::OrderFile;

constexpr int kMostLooks = 60;         // until pages that cannot be moved are given up
constexpr std::size_t kAtOnce = 4096;  // pages

std::uint64_t start_of(int process) {
  const std::string line = kernel::read_text(fmt::format("/proc/{}/stat", process));
  return support::stat_number(line.c_str(), support::kStartTicks);
}

// A process's number as it knows it itself, in its innermost namespace.
int own_number_of(int process) {
  const std::string text = kernel::read_text(fmt::format("/proc/{}/status", process));
  const std::size_t at = text.find("\nNStgid:");
  const std::string line =
      at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  const std::size_t last = line.find_last_of(" \t");
  return last == std::string::npos ? process : std::atoi(line.c_str() + last + 1);
}

// As many pages for each node; of those that are not where they would be by address, those stay
// that are on a node that is to have more.
std::vector<std::pair<std::uintptr_t, int>> moves_for(const std::vector<std::uintptr_t>& pages,
                                                      const std::vector<int>& on,
                                                      const std::vector<int>& nodes) {
  std::vector<std::size_t> left(nodes.size());
  std::size_t there = 0;
  for (const int node : on) {
    there += node >= 0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    left[i] = there / nodes.size() + (i < there % nodes.size() ? 1 : 0);
  }
  std::vector<std::size_t> excess;
  std::vector<std::size_t> order(pages.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i * 7919 % order.size();  // not the first ones of a node stay
  }
  std::vector<bool> is_taken(pages.size());
  for (const std::size_t i : order) {
    const auto place = static_cast<std::size_t>(std::ranges::find(nodes, on[i]) - nodes.begin());
    if (on[i] < 0 || is_taken[i]) {
      continue;
    }
    is_taken[i] = true;
    if (place < nodes.size() && left[place] > 0) {
      --left[place];
    } else {
      excess.push_back(i);
    }
  }
  std::vector<std::pair<std::uintptr_t, int>> moves;
  std::size_t to = 0;
  for (const std::size_t i : excess) {
    for (std::size_t tried = 0; tried < nodes.size() && left[to] == 0; ++tried) {
      to = (to + 1) % nodes.size();
    }
    if (left[to] == 0) {
      break;
    }
    --left[to];
    moves.emplace_back(pages[i], nodes[to]);
    to = (to + 1) % nodes.size();
  }
  return moves;
}

}  // namespace

struct Applier::Under {
  std::size_t number = 0;  // in done_
  int order = -1;          // the last one; -1: none
  int looks = 0;
  bool is_over = false;
};

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
    orders->owner_started = start_of(getpid());
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

void Applier::order(Under& under, bool is_interleaved) {
  auto& file = *static_cast<OrderFile*>(mapped_);
  const std::uint32_t count = file.count.load();
  const Applied& applied = done_[under.number];
  if (count == OrderFile::kMost) {
    return;
  }
  Order& order = file.orders[count];
  order.begin = applied.begin;
  order.end = applied.end;
  order.process = own_number_of(static_cast<int>(applied.process));
  order.is_interleaved = is_interleaved ? 1 : 0;
  for (const int node : kernel::nodes().numbers) {
    order.nodes[node / Order::kWordBits] |= std::uint64_t{1} << (node % Order::kWordBits);
  }
  file.count.store(count + 1, std::memory_order_release);
  under.order = static_cast<int>(count);
}

// Moves what can be moved by now. What the kernel's balancing is about to look at cannot, until the
// program has used it.
void Applier::go_on(Under& under, const watch::Facts& facts) {
  Applied& applied = done_[under.number];
  const int process = static_cast<int>(applied.process);
  auto& file = *static_cast<OrderFile*>(mapped_);
  const int answer = file.orders[under.order].answer.load(std::memory_order_acquire);
  if (answer > 0) {
    applied.fault = std::strerror(answer);
    under.is_over = true;
    return;
  }
  if (answer < 0) {
    return;  // the program has not forked yet
  }
  applied.has_policy = true;
  const std::vector<int>& nodes = kernel::nodes().numbers;
  std::vector<std::uintptr_t> pages;
  for (std::uintptr_t at = applied.begin; at < applied.end; at += kernel::page_bytes()) {
    pages.push_back(at);
  }
  std::vector<int> on(pages.size(), kernel::kNoPage);
  if (kernel::find_nodes(pages, on, process) != 0) {
    under.is_over = true;
    return;
  }
  auto moves = moves_for(pages, on, nodes);
  std::ranges::sort(moves, {}, &std::pair<std::uintptr_t, int>::second);
  for (std::size_t at = 0; at < moves.size(); at += kAtOnce) {
    std::vector<std::uintptr_t> some;
    std::vector<int> to;
    for (std::size_t i = at; i < std::min(at + kAtOnce, moves.size()); ++i) {
      some.push_back(moves[i].first);
      to.push_back(moves[i].second);
    }
    std::vector<int> status(some.size());
    if (kernel::move(some, to, status, process) != 0) {
      break;
    }
  }
  std::vector<int> now(pages.size(), kernel::kNoPage);
  kernel::find_nodes(pages, now, process);
  applied.after.assign(static_cast<std::size_t>(nodes.back()) + 1, 0);
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] >= 0 && static_cast<std::size_t>(now[i]) < applied.after.size()) {
      applied.after[static_cast<std::size_t>(now[i])] += 1;
      applied.pages += on[i] >= 0 && on[i] != now[i] ? 1 : 0;
    }
  }
  under.is_over = ++under.looks >= kMostLooks;
  // The same uses, with the pages where they are now.
  constexpr double kFall = 5;
  const auto now_on = [&](std::uint64_t address) {
    return now[std::min((address - applied.begin) / kernel::page_bytes(), now.size() - 1)];
  };
  if (figures_of(facts, now_on).local < applied.local - kFall) {
    order(under, false);
    applied.is_undone = true;
    under.is_over = true;
  }
}

void Applier::looked(const Watched& watched, const Watcher& watcher) {
  const std::vector<int>& nodes = kernel::nodes().numbers;
  if (mapped_ == nullptr || nodes.size() < 2) {
    return;
  }
  for (const watch::Region& region : watched.table.regions()) {
    const auto known = std::ranges::find_if(under_, [&](const Under& one) {
      const Applied& applied = done_[one.number];
      return applied.process == watched.table.process() && applied.begin < region.area.end &&
             region.area.begin < applied.end;
    });
    if (region.died != 0) {
      continue;
    }
    if (known != under_.end()) {
      if (!known->is_over) {
        go_on(*known, facts_of(watched, region, watcher, true));
      }
      continue;
    }
    const watch::Facts facts = facts_of(watched, region, watcher, true);
    const watch::Verdict verdict = judge(facts);
    const auto on = region.pages_on(true, static_cast<std::size_t>(nodes.back()) + 1);
    std::vector<std::uint64_t> by_place;
    for (const int node : nodes) {
      by_place.push_back(on[static_cast<std::size_t>(node)]);
    }
    if (!is_to_be_interleaved(facts, verdict, by_place)) {
      continue;
    }
    done_.push_back({watched.table.process(), region.area.begin, region.area.end, 0, on, on,
                     verdict.now.local, false, false, ""});
    under_.push_back({done_.size() - 1, -1, 0, false});
    order(under_.back(), true);
  }
}

}  // namespace nestbind::cli::memory
