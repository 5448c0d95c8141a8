// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: readers must give consistent answers for any text. The readers read orders,
// communication, and the texts to and from SCOTCH's process. The first byte selects the reader.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "mapping/find_map.hpp"
#include "mapping/order_text.hpp"
#include "plan/team_plan.hpp"

namespace {

using namespace nestbind;
using namespace nestbind::mapping;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

machine::Topology topology() {
  machine::Hardware hardware;
  hardware.cpus = {0, 1, 2, 3};
  hardware.is_allowed = {true, true, true, true};
  hardware.has_cores = true;
  hardware.objects = {{machine::Type::kMachine, false, 0, 0, 4, {1, 2}},
                      {machine::Type::kPackage, false, 1, 0, 2, {3, 4}},
                      {machine::Type::kPackage, false, 1, 2, 4, {5, 6}}};
  for (int core = 0; core < 4; ++core) {
    hardware.objects.push_back({machine::Type::kCore, false, 2, core, core + 1, {}});
  }
  hardware.numa_processors = {{0, 1, 2, 3}};
  return machine::Topology::of(hardware, "made up", {});
}

plan::Plan make_plan(const char* text, const plan::Order& order = {}) {
  spec::Spec spec;
  spec::Fault fault;
  require(spec::parse(text, spec, fault), "a good specification");
  static const machine::Topology machine = topology();
  return plan::make(spec, machine, 0, machine::CoreChoice::kAuto, order);
}

void check_fault(std::string_view text, const Fault& fault) {
  require(fault.line >= 1 && !fault.what.empty() && !fault.expected.empty(),
          "a fault has a line and texts");
  Lines lines(text);
  while (lines.number() < fault.line && lines.next()) {
  }
  require(lines.number() == fault.line && fault.position <= lines.line().size(),
          "a fault is in its line");
  require(describe(text, fault).ends_with('^'), "a message ends with the caret");
}

void try_order(std::string_view text) {
  plan::Order order;
  Fault fault;
  if (!parse_order(text, order, fault)) {
    require(order.is_plain(), "a bad text leaves the order alone");
    check_fault(text, fault);
    return;
  }
  plan::Order again;
  require(parse_order(print_order(order, {"one"}), again, fault) && again.teams() == order.teams(),
          "parse(print(order)) is order");
  plan::Plan plain = make_plan("2,scatter,2,scatter");
  plan::Plan ordered = make_plan("2,scatter,2,scatter", order);
  std::set<int> slots;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      slots.insert(ordered.slot_of({{i, 2}, {j, 2}}).slot);
    }
  }
  require(slots.size() == 4, "no slot twice");
  require(ordered.slot_of({{0, 2}, {0, 2}}).slot == plain.slot_of({{0, 2}, {0, 2}}).slot,
          "the primary thread stays");
}

void try_communication(std::string_view text) {
  plan::Plan plan = make_plan("2,scatter,2,subcompact");
  const Threads threads = make_threads(plan);
  Communication pairs;
  Fault fault;
  if (!parse_communication(text, threads, pairs, fault)) {
    require(pairs.empty(), "a bad text leaves the pairs alone");
    check_fault(text, fault);
    return;
  }
  for (const Pair& pair : pairs) {
    require(0 <= pair.a && pair.a < pair.b && pair.b < threads.count() && pair.weight > 0,
            "pairs have two threads of the plan");
  }
  const Distances distances(plan.machine());
  const Problem problem(threads, pairs, distances);
  const Mapping mapping = map(problem, nullptr);
  require(mapping.cost <= mapping.cost_before, "the mapping costs no more than the plan");
}

void try_target(std::string_view text) {
  const auto target = parse_target(text);
  if (!target) {
    return;
  }
  const auto again = parse_target(print_target(*target));
  require(again && again->leaf == target->leaf && again->edges == target->edges,
          "parse(print(target)) is target");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'o':
      try_order(text);
      break;
    case 'c':
      try_communication(text);
      break;
    default:
      try_target(text);
  }
  return 0;
}
