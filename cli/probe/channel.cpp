// SPDX-License-Identifier: BSD-3-Clause
#include "cli/probe/channel.hpp"

#include <ctime>

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

}  // namespace nestbind::cli::probe
