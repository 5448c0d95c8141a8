// SPDX-License-Identifier: BSD-3-Clause
// Measures the library's functions that hand out the iterations of a loop to one thread, while no
// other thread uses the queues. The times are the minima over many rounds, in nanoseconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "loops/loop_team.hpp"

namespace {

using namespace nestbind::loops;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 200;

struct Result {
  double loop = 1e9;
  double piece = 0;
};

// Simulates a fork before each loop.
Result measure(const char* text, int threads, std::uint64_t iterations, bool has_site) {
  const int loops = threads > 2 ? 1 : 100;
  Settings settings;
  Fault fault;
  if (!parse(text, settings.schedule, fault)) {
    std::exit(1);
  }
  const auto sites = std::make_unique<Sites>();
  settings.sites = has_site ? sites.get() : nullptr;
  settings.take = 100;
  const std::size_t bytes = (Team::bytes(threads) + 63) / 64 * 64;
  void* memory = std::aligned_alloc(64, bytes);
  std::memset(memory, 0, bytes);
  Team* team = Team::make(memory, threads, 1);
  LoopStart start;
  start.iterations = iterations;
  start.address = 1;
  Result result;
  std::uint64_t pieces = 0;
  Ticks now = 0;
  for (int round = 0; round < kRounds; ++round) {
    pieces = 0;
    const Clock::time_point begin = Clock::now();
    for (int loop = 0; loop < loops; ++loop) {
      team->open({}, 1, Sharing::kThread);
      Member& member = team->member(0);
      member.begin(start, settings);
      for (Range range;;) {
        if (member.wants_time()) {
          member.note_time(now += 1000);
        }
        if (!member.next(range)) {
          break;
        }
        ++pieces;
      }
      if (member.wants_time()) {
        member.note_time(now += 1000);
      }
    }
    const std::chrono::duration<double, std::nano> time = Clock::now() - begin;
    result.loop = std::min(result.loop, time.count() / loops);
  }
  result.piece = result.loop * loops / static_cast<double>(std::max<std::uint64_t>(pieces, 1));
  std::free(memory);
  return result;
}

void print(const char* what, const char* text, int threads, std::uint64_t iterations,
           bool has_site) {
  const Result result = measure(text, threads, iterations, has_site);
  std::printf("%s,\"%s\",%d,%llu,%.1f,%.1f\n", what, text, threads,
              static_cast<unsigned long long>(iterations), result.loop, result.piece);
}

}  // namespace

int main() {
  std::printf("case,schedule,threads,iterations,loop ns,piece ns\n");
  print("two iterations", "hybrid,f=0.5,chunk=8", 2, 2, false);
  print("two iterations, measured", "hybrid", 2, 2, true);
  print("static", "hybrid,f=1", 2, 1000, false);
  print("a chunk in each queue", "hybrid,f=0.5,chunk=1000", 2, 1000, false);
  print("many chunks", "hybrid,f=0,chunk=1", 2, 10000, false);
  print("many chunks, tapered", "hybrid,f=0,chunk=1,taper", 2, 1000000, false);
  print("many queues", "hybrid,f=0.5,chunk=1000", 64, 64000, false);
  print("very many queues", "hybrid,f=0.5,chunk=1000", 1024, 1024000, false);
  return 0;
}
