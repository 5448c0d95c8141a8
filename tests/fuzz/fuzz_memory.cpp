// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: whatever is sampled of a program's memory, and however it is cut into units, what is
// ordered and advised holds together.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "memory/interval.hpp"
#include "memory/sentences.hpp"

namespace {

using namespace nestbind::memory;

constexpr std::size_t kTable = 64;  // units; a byte of the input reaches more
constexpr std::uintptr_t kBegin = std::uintptr_t{1} << 40;
const PageSizes kSizes;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

// The bytes one by one; 0 when there are no more.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  bool is_over() const { return at_ == end_; }
  unsigned next() { return at_ == end_ ? 0 : *at_++; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

struct Program {
  int nodes = 1;
  Range range;
  std::vector<Range> huge;
  std::vector<NodeMemory> memory;
  std::map<std::uintptr_t, int> homes;
};

Program program_of(Input& input) {
  Program program;
  program.nodes = static_cast<int>(input.next() % kMostNodes) + 1;
  program.range.begin = kBegin + input.next() * kSizes.page;
  program.range.end = program.range.begin + input.next() * kSizes.unit() + input.next();
  for (std::uintptr_t at = kBegin; at < program.range.end; at += kSizes.huge) {
    if (input.next() % 2 == 1) {
      program.huge.push_back({at, at + kSizes.huge});
    }
  }
  for (int node = 0; node < program.nodes; ++node) {
    program.memory.push_back({input.next(), input.next()});
  }
  return program;
}

void check_units(const Program& program) {
  std::uintptr_t at = program.range.begin;
  const auto units = units_of(program.range, program.huge, kSizes);
  for (const Unit& unit : units) {
    require(unit.begin == at && unit.bytes > 0, "units cover a range without overlap");
    at = unit.end();
  }
  require(units.empty() ? program.range.bytes() == 0 : at == program.range.end,
          "units end with their range");
}

void check_advice(const Program& program, const Seen& seen, std::uint64_t samples) {
  RegionFacts facts;
  facts.range = program.range;
  facts.bytes_on.resize(static_cast<std::size_t>(program.nodes), 1);
  facts.seen = seen;
  facts.are_writes_known = samples % 2 == 0;
  facts.samples = samples;
  const Advice advice = advice_on(facts, kSizes);
  require(advice.damage >= 0, "a remedy does no harm");
  require(advice.now.local >= 0 && advice.now.local <= 100, "a ratio is one");
  require(advice.after.local >= 0 && advice.after.local <= 100, "a ratio is one");
  const std::string text = sentences(facts, advice, {"fuzzing", {}}, {});
  require(!text.empty() && text.back() == '\n', "an advice is whole lines");
}

void check_interval(Input& input, Program& program, const Samples& samples, Restraint& restraint) {
  Region region{1, seen_in(samples, program.range, program.huge, Samples::kEnough)};
  for (std::size_t i = 0; i < region.seen.size(); ++i) {
    const Unit& unit = region.seen.unit(i);
    require(unit.begin >= program.range.begin && unit.end() <= program.range.end,
            "what was seen is in its range");
    const int home = static_cast<int>(unit.begin / kSizes.unit()) % program.nodes;
    region.seen.set_home(i, program.homes.try_emplace(unit.begin, home).first->second);
  }
  check_advice(program, region.seen, samples.taken());
  const std::vector<Region> regions{region};
  Counts counts{traffic_of(regions), static_cast<Intensity>(input.next() % 3), 0, 0, 0, 0};
  const Limits limits{input.next() * kSizes.unit(), input.next() % 2 == 1};
  const Orders orders = orders_of(counts, regions, program.memory, limits, restraint);
  std::uint64_t bytes = 0;
  std::set<std::uintptr_t> moved;
  for (const Order& order : orders.moves) {
    require(moved.insert(order.unit.begin).second, "no unit is ordered twice");
    require(restraint.may_move(order.unit.begin), "no unit is moved in its cool-down");
    require(order.to >= 0 && order.to < program.nodes && order.to != order.from, "a move is one");
    const NodeMemory& target = program.memory[static_cast<std::size_t>(order.to)];
    require(target.free * 100 >= target.total * 5, "a full node is given nothing");
    require(program.homes[order.unit.begin] == order.from, "a unit is where it was said to be");
    bytes += order.unit.bytes;
    program.homes[order.unit.begin] = order.to;
  }
  require(bytes <= limits.bytes, "no more is moved than allowed");
  for (const Order& order : orders.moves) {
    restraint.moved(order.unit.begin, order.region, {counts.traffic, counts.traffic});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  Program program = program_of(input);
  check_units(program);
  Samples samples(kTable, program.nodes, kSizes);
  Restraint restraint;
  while (!input.is_over()) {
    const unsigned what = input.next();
    const std::uintptr_t at = kBegin + input.next() * kSizes.unit();
    for (unsigned i = 0; i < what % 16; ++i) {
      samples.add(at, static_cast<int>(what / 16) % program.nodes, what % 5 == 0);
    }
    require(samples.size() <= samples.capacity(), "a table keeps its size");
    if (what % 8 == 0) {
      samples.end_scan();
    }
    if (what % 16 == 1) {
      samples.forget({at, at + kSizes.unit()});
    }
    if (what % 4 == 3) {
      check_interval(input, program, samples, restraint);
    }
  }
  return 0;
}
