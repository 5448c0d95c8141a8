// SPDX-License-Identifier: BSD-3-Clause
#include "cli/probe/probe_work.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "cli/probe/probe_work.hpp"
#include "memory/kernel/memory_nodes.hpp"
#include "memory/kernel/pages.hpp"
#include "support/kernel_file.hpp"

namespace nestbind::cli::probe {

namespace {

constexpr int kBetweenLooks = 1024;  // turns of the waiting loop between two looks at the clock
constexpr int kBetweenChecks = 32;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void send(const Way& way, std::uint64_t number) {
  for (std::size_t i = 0; i < way.words; ++i) {
    way.rest[i] = number;
  }
  way.flag->text[0] = static_cast<unsigned char>(number);
  way.flag->number.store(number, std::memory_order_release);
}

void take(const Way& way) {
  std::uint64_t sum = way.flag->text[0];
  for (std::size_t i = 0; i < way.words; ++i) {
    sum += way.rest[i];
  }
  asm volatile("" : : "r"(sum));  // so that the compiler keeps the reads
}

bool is_there(const Way& way, std::uint64_t number) {
  return way.flag->number.load(std::memory_order_acquire) >= number;
}

// Returns whether the message came before the deadline.
bool wait_until(const Way& way, std::uint64_t number, double deadline) {
  for (int turn = 1; !is_there(way, number); ++turn) {
    if (turn % kBetweenLooks == 0 && clock_ns() > deadline) {
      return false;
    }
    pause();
  }
  return true;
}

namespace kernel = nestbind::memory::kernel;

constexpr std::size_t kLeast = std::size_t{4} << 20;
constexpr std::size_t kOfFree = 8;
constexpr int kBetweenReads = 128;
constexpr int kBetweenBlocks = 16;

// Returns `bytes`, or less if the node has little memory ("Node 0 MemFree:  200 kB" in meminfo).
std::size_t fitting(int node, std::size_t bytes) {
  const std::string text = support::kernel_text(std::string(kernel::kNodeFolder) + "/node" +
                                                std::to_string(node) + "/meminfo");
  constexpr std::string_view kName = "MemFree:";
  const std::size_t at = text.find(kName);
  const std::size_t most = at == std::string::npos
                               ? kLeast
                               : std::atoll(text.c_str() + at + kName.size()) * 1024 / kOfFree;
  return std::bit_floor(std::max(std::min(bytes, most), kLeast));
}

// True if the pages are on the node, or if the kernel does not say where they are.
bool is_on(const void* memory, std::size_t bytes, int node) {
  constexpr std::size_t kPlaces = 8;
  std::array<std::uintptr_t, kPlaces> pages{};
  std::array<int, kPlaces> nodes{};
  for (std::size_t i = 0; i < kPlaces; ++i) {
    pages[i] = reinterpret_cast<std::uintptr_t>(memory) + i * (bytes / kPlaces);
  }
  return kernel::find_nodes(pages, nodes) != 0 ||
         std::ranges::all_of(nodes, [&](int found) { return found == node; });
}

}  // namespace

double clock_ns() {
  constexpr double kNsOfSecond = 1e9;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * kNsOfSecond + static_cast<double>(now.tv_nsec);
}

Channel::Channel(std::size_t bytes)
    : flags_(2 * kLines),
      there_((bytes - sizeof(Flag)) / sizeof(std::uint64_t)),
      back_((bytes - sizeof(Flag)) / sizeof(std::uint64_t)) {}

void Channel::reset() {
  at_ = (at_ + 1) % kLines;
  there().flag->number = 0;
  back().flag->number = 0;
  is_over_ = false;
}

Done Channel::call(int count, double limit) {
  const Way to = there();
  const Way from = back();
  // The first message is not measured, because the other thread may still sleep.
  send(to, 1);
  Done done{.ns = limit, .count = 1, .given_up = !wait_until(from, 1, clock_ns() + limit)};
  if (!done.given_up) {
    done = exchange(count, limit);
  }
  is_over_.store(true, std::memory_order_release);
  return done;
}

Done Channel::exchange(int count, double limit) {
  const double began = clock_ns();
  const double deadline = began + limit;
  const Way to = there();
  const Way from = back();
  Done done;
  while (done.count < count && !done.given_up) {
    const auto number = static_cast<std::uint64_t>(done.count) + 2;
    send(to, number);
    done.given_up = !wait_until(from, number, deadline);
    take(from);
    ++done.count;
    done.given_up = done.given_up || (done.count % kBetweenChecks == 0 && clock_ns() > deadline);
  }
  done.ns = clock_ns() - began;
  return done;
}

void Channel::answer(int count) {
  const Way from = there();
  const Way to = back();
  for (std::uint64_t number = 1; number <= static_cast<std::uint64_t>(count) + 1; ++number) {
    for (int turn = 1; !is_there(from, number); ++turn) {
      if (turn % kBetweenLooks == 0 && is_over_.load(std::memory_order_acquire)) {
        return;
      }
      pause();
    }
    take(from);
    send(to, number);
  }
}

NodeMemory::NodeMemory(int node, std::size_t bytes) {
  const std::size_t size = fitting(node, bytes);
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw CannotMeasure("no memory");
  }
  lines_ = static_cast<Line*>(memory);
  regions_ = size / sizeof(Line) / kLines;
  madvise(memory, size, MADV_HUGEPAGE);
  if (kernel::nodes().count() > 1) {
    kernel::NodeSet only;
    only.add(node);
    kernel::set_policy(kernel::pages_around(memory, size), kernel::Policy::kPreferred, only);
  }
  // A congruential generator of full period (Hull and Dobell, 1962) visits each line once. The
  // hardware cannot prefetch this order.
  constexpr std::uint64_t kFactor = 1664525;
  constexpr std::uint64_t kSummand = 1013904223;
  for (std::size_t i = 0; i < regions_ * kLines; ++i) {
    lines_[i].next = static_cast<std::uint32_t>((kFactor * (i % kLines) + kSummand) % kLines);
  }
  if (kernel::nodes().count() > 1 && !is_on(memory, size, node)) {
    munmap(memory, size);
    throw CannotMeasure("node " + std::to_string(node) + " has no memory for this process");
  }
}

NodeMemory::~NodeMemory() { munmap(lines_, regions_ * kLines * sizeof(Line)); }

Done NodeMemory::follow(int count, double limit) {
  const double began = clock_ns();
  const Line* const region = lines_ + at_ * kLines;
  at_ = (at_ + 1) % regions_;
  std::uint32_t at = 0;
  Done done;
  while (done.count < count && !done.given_up) {
    const int part = std::min(count - done.count, kBetweenReads);
    for (int i = 0; i < part; ++i) {
      at = *static_cast<const volatile std::uint32_t*>(&region[at].next);
    }
    done.count += part;
    done.ns = clock_ns() - began;
    done.given_up = done.ns > limit;
  }
  return done;
}

Done NodeMemory::read(std::size_t from, int count, double limit) const {
  const auto* const words = reinterpret_cast<const std::uint64_t*>(lines_);
  const std::size_t blocks = regions_ * kLines * sizeof(Line) / kBlock;
  const double began = clock_ns();
  std::uint64_t sum = 0;
  Done done;
  while (done.count < count && !done.given_up) {
    const int part = std::min(count - done.count, kBetweenBlocks);
    for (int i = 0; i < part; ++i) {
      const std::size_t block = (from + static_cast<std::size_t>(done.count + i)) % blocks;
      const std::uint64_t* const own = words + block * (kBlock / sizeof(std::uint64_t));
      for (std::size_t word = 0; word < kBlock / sizeof(std::uint64_t); ++word) {
        sum += own[word];
      }
    }
    done.count += part;
    done.ns = clock_ns() - began;
    done.given_up = done.ns > limit;
  }
  asm volatile("" : : "r"(sum));  // so that the compiler keeps the reads
  return done;
}

}  // namespace nestbind::cli::probe
