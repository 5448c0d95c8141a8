// SPDX-License-Identifier: BSD-3-Clause
// Invariants for every machine, mask and specification.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <set>

#include "planned.hpp"

using namespace nestbind;

namespace {

using Random = std::mt19937;

int pick(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

template <typename T>
const T& one_of(Random& random, const std::vector<T>& choices) {
  return choices[pick(random, 0, static_cast<int>(choices.size()) - 1)];
}

const std::vector<std::string> kAlike = {"barcelona",
                                         "tigerton",
                                         "numa16",
                                         "numa32",
                                         "nehalem-sun",
                                         "pack:2 numa:2 core:4 pu:1",
                                         "pack:2 l3:2 l2:2 core:2 pu:2"};

std::vector<std::string> all_machines() {
  std::vector<std::string> machines = kAlike;
  for (const char* more : {"scalemp", "bielefeld", "nehalem-hp", "core:6 pu:4", "pu:5",
                           "group:2 pack:2 numa:2 l2:2 core:2 pu:2", "pack:1 core:1 pu:1"}) {
    machines.emplace_back(more);
  }
  const std::filesystem::path real =
      std::filesystem::path(NESTBIND_SOURCE_DIR) / ".." / "shared" / "machines" / "real";
  if (std::filesystem::is_directory(real)) {
    for (const auto& file : std::filesystem::directory_iterator(real)) {
      machines.push_back(file.path().string());
    }
  }
  return machines;
}

std::string random_spec(Random& random, int most, bool sub_only, bool symbolic) {
  static const std::vector<std::string> sizes = {"package", "numa", "l3", "l2", "core", "pu"};
  static const std::vector<std::string> sub = {"subscatter", "subcompact"};
  static const std::vector<std::string> any = {"scatter", "compact", "subscatter", "subcompact"};
  static const std::vector<std::string> domains = {"board", "package", "numa", "l3", "l2"};
  const int levels = pick(random, 1, 4);
  std::string text;
  for (int level = 0; level < levels; ++level) {
    const std::string strategy = one_of(random, sub_only && level > 0 ? sub : any);
    text += level == 0 ? "" : ",";
    text += symbolic && pick(random, 0, 4) == 0
                ? one_of(random, sizes)
                : std::to_string(pick(random, 1, level < 2 ? most : 3));
    text += "," + strategy;
    if (strategy.substr(0, 3) == "sub" && pick(random, 0, 5) == 0) {
      text += "@" + one_of(random, domains);
    }
  }
  return text;
}

std::string random_cpus(Random& random, const std::string& machine) {
  if (pick(random, 0, 1) == 0) {
    return "";
  }
  planned::Setup everything{machine, ""};
  everything.cores = machine::CoreChoice::kAll;
  const machine::Machine all =
      planned::topology(everything).slots({1, 0, machine::CoreChoice::kAll});
  std::vector<int> cpus;
  for (const machine::Slot& slot : all.slots) {
    cpus.insert(cpus.end(), slot.cpus.begin(), slot.cpus.end());
  }
  std::shuffle(cpus.begin(), cpus.end(), random);
  cpus.resize(pick(random, 1, static_cast<int>(cpus.size())));
  std::string list;
  for (const int cpu : cpus) {
    list += (list.empty() ? "" : ",") + std::to_string(cpu);
  }
  return list;
}

std::set<int> cpus_of(const std::string& list) {
  std::set<int> cpus;
  for (std::size_t at = 0; at < list.size();) {
    cpus.insert(std::stoi(list.substr(at)));
    const auto comma = list.find(',', at);
    at = comma == std::string::npos ? list.size() : comma + 1;
  }
  return cpus;
}

template <typename Use>
void each_team(plan::Plan& plan, const plan::Path& path, const Use& use) {
  if (path.size() == plan.rules().size()) {
    return;
  }
  const int size = plan.next_size(path);
  use(path, size);
  for (int i = 0; i < size; ++i) {
    plan::Path member = path;
    member.push_back({i, size});
    each_team(plan, member, use);
  }
}

bool is_within(const std::vector<int>& part, const std::vector<int>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

int objects_touched(const machine::Partition& objects, const plan::Team& team) {
  std::set<int> touched;
  for (const plan::PlannedSlot& planned : team) {
    touched.insert(objects.object_of[planned.slot]);
  }
  return static_cast<int>(touched.size());
}

}  // namespace

TEST_CASE("places are allowed, primary threads stay, and partitions are nested") {
  const std::vector<std::string> machines = all_machines();
  Random random(1);
  for (int round = 0; round < 750; ++round) {
    planned::Setup setup{one_of(random, machines), "", pick(random, 0, 3)};
    setup.cpus = random_cpus(random, setup.machine);
    const std::string text = random_spec(random, 9, false, true);
    INFO(setup.machine << " cpus " << setup.cpus << " smt " << setup.smt << ": " << text);
    plan::Plan plan = planned::plan(setup, text);
    const std::set<int> allowed = cpus_of(setup.cpus);
    const machine::Machine& machine = plan.machine();
    long threads = 1;
    for (const plan::Rule& rule : plan.rules()) {
      threads *= rule.size;
    }
    if (threads > 600) {
      continue;
    }
    each_team(plan, {}, [&](const plan::Path& path, int size) {
      const plan::PlannedSlot primary = plan.slot_of(path);
      const plan::Team& team = plan.team(path, size);
      REQUIRE(static_cast<int>(team.size()) == size);
      REQUIRE(team[0].slot == primary.slot);
      const bool stays_inside = !plan::is_plain_inner(plan.rules(), static_cast<int>(path.size()));
      for (const plan::PlannedSlot& planned : team) {
        REQUIRE(planned.pinned);
        REQUIRE(std::is_sorted(planned.partition.begin(), planned.partition.end()));
        REQUIRE(planned.partition.front() == planned.slot);
        REQUIRE((!stays_inside || is_within(planned.partition, primary.partition)));
        for (const int cpu : machine.slots[planned.slot].cpus) {
          REQUIRE((allowed.empty() || allowed.count(cpu) == 1));
        }
      }
      if (size <= static_cast<int>(primary.partition.size()) && stays_inside) {
        std::set<int> used;
        for (const plan::PlannedSlot& planned : team) {
          for (const int slot : planned.partition) {
            REQUIRE(used.insert(slot).second);
          }
        }
      }
    });
  }
}

TEST_CASE("threads have different slots if the machine has enough slots") {
  const std::vector<std::string> machines = all_machines();
  Random random(2);
  int compared = 0;
  for (int round = 0; round < 1500; ++round) {
    const bool sub_only = pick(random, 0, 1) == 0;
    planned::Setup setup{one_of(random, sub_only ? machines : kAlike), ""};
    if (sub_only) {
      setup.cpus = random_cpus(random, setup.machine);
    }
    const std::string text = random_spec(random, 6, sub_only, false);
    INFO(setup.machine << " cpus " << setup.cpus << ": " << text);
    plan::Plan plan = planned::plan(setup, text);
    long product = 1;
    for (const plan::Rule& rule : plan.rules()) {
      product *= rule.size;
    }
    if (product > static_cast<long>(plan.machine().slots.size())) {
      continue;
    }
    ++compared;
    std::set<int> used;
    std::size_t threads = 0;
    for (const plan::Path& path : planned::primaries(plan)) {
      for (const plan::PlannedSlot& planned : plan.team(path, plan.next_size(path))) {
        used.insert(planned.slot);
        ++threads;
      }
    }
    CHECK(used.size() == threads);
  }
  CHECK(compared > 500);
}

TEST_CASE("teams that are smaller than specified stay disjoint") {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_spec(random, 4, true, false);
    const std::string machine = one_of(random, kAlike);
    INFO(machine << ": " << text);
    plan::Plan plan = planned::plan({machine, ""}, text);
    const plan::Rules rules = plan.rules();
    if (rules.size() < 2 ||
        rules[0].size * rules[1].size > static_cast<int>(plan.machine().slots.size())) {
      continue;
    }
    const int outer = pick(random, 1, rules[0].size);
    std::set<int> used;
    std::size_t threads = 0;
    for (int i = 0; i < outer; ++i) {
      const int inner = pick(random, 1, rules[1].size);
      for (const plan::PlannedSlot& planned : plan.team({{i, outer}}, inner)) {
        used.insert(planned.slot);
        ++threads;
      }
    }
    CHECK(used.size() == threads);
  }
}

TEST_CASE("scatter uses as many objects as possible, and compact as few as possible") {
  for (const std::string& name : kAlike) {
    const int slots =
        static_cast<int>(planned::plan({name, ""}, "1,scatter").machine().slots.size());
    for (int size = 1; size <= slots; ++size) {
      plan::Plan scattered = planned::plan({name, ""}, std::to_string(size) + ",scatter");
      plan::Plan compacted = planned::plan({name, ""}, std::to_string(size) + ",compact");
      for (std::size_t kind = 0; kind < scattered.machine().obstacles.size(); ++kind) {
        INFO(name << ", " << size << " threads, obstacle " << kind);
        const machine::Partition& objects = scattered.machine().obstacles[kind];
        const int all = static_cast<int>(objects.slots_in.size());
        CHECK(objects_touched(objects, scattered.team({}, size)) == std::min(size, all));
        const int each = objects.slots_in[0];
        CHECK(objects_touched(objects, compacted.team({}, size)) == (size + each - 1) / each);
      }
    }
  }
}
