// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: the results about memory must be consistent. The input replaces the kernel's ring
// buffer.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "memory/watch/process_table.hpp"
#include "memory/watch/verdict.hpp"

namespace {

using namespace nestbind::memory::watch;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kBegin = std::uint64_t{1} << 40;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

std::vector<Area> areas_of(const std::uint8_t* data, std::size_t size) {
  std::vector<Area> areas;
  std::uint64_t at = kBegin;
  for (std::size_t i = 0; i < size && i < 8; ++i) {
    at += data[i] % 4 * kPage;
    const std::uint64_t end = at + (data[i] / 4 + 1) * kPage;
    areas.push_back({at, end, ""});
    at = end;
  }
  return areas;
}

void check_verdicts(const ProcessTable& table) {
  for (const Region& region : table.regions()) {
    Facts facts;
    facts.begin = region.area.begin;
    facts.end = region.area.end;
    facts.nodes = {0, 1, 5};
    facts.team = {{0}, {5}, {1}};
    facts.home = [&](const Use& use) { return region.home(use.address); };
    for (const Fault& fault : table.faults_of(region)) {
      facts.uses.push_back(
          {fault.address, fault.node, static_cast<double>(fault.weight), fault.time, fault.home});
    }
    weigh_evenly(facts);
    const Verdict verdict = judge(facts);
    require(verdict.now.local >= 0 && verdict.now.local <= 100, "a percentage is from 0 to 100");
    require(verdict.then.local >= 0 && verdict.then.local <= 100, "a percentage is from 0 to 100");
    require(verdict.sharing.shared >= 0 && verdict.sharing.shared <= 1,
            "a fraction is from 0 to 1");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<unsigned char> ring(4096);
  std::memcpy(ring.data(), data, size < ring.size() ? size : ring.size());
  ProcessTable table(1, 0, kPage);
  Record record;
  std::uint64_t tail = 0;
  std::uint64_t time = 0;
  while (next_record(ring, tail, ring.size(), record)) {
    require(tail <= ring.size(), "the reader stays inside of the ring");
    time += record.time % 2'000'000'000;
    record.time = time;
    record.address = kBegin + record.address % 512 * kPage;
    switch (record.kind) {
      case Record::Kind::kFault:
        table.add_fault(record, static_cast<int>(record.processor % 8));
        break;
      case Record::Kind::kMapping:
        table.add_mapping(record.address, record.address + record.bytes % (64 * kPage), time);
        table.expect(record.address, record.address + record.bytes % 64 * kPage, 2 * kPage, time);
        break;
      case Record::Kind::kFork:
        table.add_fork(time);
        break;
      default: {
        const auto areas = areas_of(data, record.process % (size + 1));
        table.begin_look(time, areas);
        for (std::size_t i = 0; i < areas.size(); ++i) {
          for (std::size_t page = 0; page < table.regions()[i].pages.size(); page += 1 + page % 3) {
            table.see(table.regions()[i], page, static_cast<int>(page % 3) - 1);
          }
        }
        table.end_look(record.weight);
      }
    }
  }
  check_verdicts(table);
  table.end();
  return 0;
}
