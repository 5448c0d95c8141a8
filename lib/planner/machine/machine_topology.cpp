// SPDX-License-Identifier: BSD-3-Clause
#include "machine/machine_topology.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "machine/families.hpp"
#include "machine/hardware.hpp"
#include "machine/machine.hpp"
#include "machine/numbers.hpp"
#include "machine/partition.hpp"

namespace nestbind::machine {

namespace {

// For each processor, the number of slots that begin before it; then the number of all slots.
using SlotsBefore = std::vector<int>;

class Tree {
 public:
  Tree(const Hardware& hardware, const SlotsBefore& slots_before)
      : hardware_(hardware), slots_before_(slots_before) {
    nodes_.reserve(hardware.objects.size());
  }

  int add(int index) {
    std::vector<int> below = children(index);
    while (below.size() == 1) {
      index = below[0];
      below = children(index);
    }
    const int node = static_cast<int>(nodes_.size());
    nodes_.push_back({begin(index), end(index), {}});
    for (int& child : below) {
      child = add(child);
    }
    nodes_[node].children = std::move(below);
    return node;
  }

  std::vector<Node> take() { return std::move(nodes_); }

 private:
  int begin(int index) const { return slots_before_[hardware_.objects[index].begin]; }
  int end(int index) const { return slots_before_[hardware_.objects[index].end]; }

  // A core has no child objects: its children are slots.
  std::vector<int> children(int index) const {
    std::vector<int> with_slots;
    if (hardware_.objects[index].type != Type::kCore) {
      with_slots.reserve(hardware_.objects[index].children.size());
      for (int child : hardware_.objects[index].children) {
        if (begin(child) < end(child)) {
          with_slots.push_back(child);
        }
      }
    }
    return with_slots;
  }

  const Hardware& hardware_;
  const SlotsBefore& slots_before_;
  std::vector<Node> nodes_;
};

bool can_be_topmost(Type type) {
  return type != Type::kCore && type != Type::kL1 && type != Type::kL2;
}

// Leaves out objects without slots, and objects with only one child.
std::vector<Node> make_tree(const Hardware& hardware, const SlotsBefore& slots_before) {
  Tree tree(hardware, slots_before);
  tree.add(0);
  return tree.take();
}

Partition make_topmost(const Hardware& hardware, const SlotsBefore& slots_before) {
  std::map<int, std::vector<const Object*>> levels;
  for (const Object& object : hardware.objects) {
    if (slots_before[object.begin] < slots_before[object.end]) {
      levels[object.level].push_back(&object);
    }
  }
  std::vector<int> object_of(slots_before.back(), -1);
  const auto branching = std::find_if(levels.begin(), levels.end(),
                                      [](const auto& level) { return level.second.size() > 1; });
  if (branching != levels.end() && can_be_topmost(branching->second.front()->type)) {
    int number = 0;
    for (const Object* object : branching->second) {
      std::fill(object_of.begin() + slots_before[object->begin],
                object_of.begin() + slots_before[object->end], number++);
    }
  }
  return make_partition(object_of);
}

std::vector<Core> make_cores(const Hardware& hardware, const Partition& by_core) {
  std::vector<Core> cores;
  int begin = 0;
  for (int threads : by_core.slots_in) {
    cores.push_back({begin, begin + threads, hardware.speed.empty() ? -1 : hardware.speed[begin]});
    begin += threads;
  }
  return cores;
}

std::vector<int> processors_of(const Hardware& hardware, CoreChoice cores) {
  std::vector<int> processors(hardware.cpus.size());
  std::iota(processors.begin(), processors.end(), 0);
  if (hardware.speed.empty() || cores == CoreChoice::kAuto || cores == CoreChoice::kAll) {
    return processors;
  }
  const auto [slowest, fastest] = std::minmax_element(hardware.speed.begin(), hardware.speed.end());
  const int speed = cores == CoreChoice::kEfficient ? *slowest : *fastest;
  std::erase_if(processors, [&](int p) { return hardware.speed[p] != speed; });
  return processors;
}

std::string counted(std::size_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

SlotsBefore count_slots_before(const std::vector<Cut>& cuts, std::size_t processors) {
  SlotsBefore before(processors + 1, 0);
  for (const Cut& cut : cuts) {
    ++before[cut.begin + 1];
  }
  std::partial_sum(before.begin(), before.end(), before.begin());
  return before;
}

std::vector<Slot> make_slots(const std::vector<Cut>& cuts, const Hardware& hardware,
                             const Numbers& numbers, const Families& families) {
  std::vector<Slot> slots;
  slots.reserve(cuts.size());
  for (const Cut& cut : cuts) {
    slots.push_back({{hardware.cpus.begin() + cut.begin, hardware.cpus.begin() + cut.end},
                     numbers.core[cut.begin],
                     numbers.l2[cut.begin],
                     numbers.l3[cut.begin],
                     numbers.numa[cut.begin],
                     numbers.package[cut.begin],
                     families.at(Grain::kNuma).object_of[cut.begin],
                     numbers.numa_logical[cut.begin],
                     hardware.speed.empty() ? -1 : hardware.speed[cut.begin]});
  }
  return slots;
}

// If several layers divide the slots in the same way, only the last is kept.
std::vector<Partition> make_obstacles(const Families& families,
                                      const std::vector<int>& processors) {
  std::vector<Partition> obstacles;
  for (auto layer = families.layers.rbegin(); layer != families.layers.rend(); ++layer) {
    Partition of_slots = make_partition(*layer, processors);
    const auto same = std::ranges::find(obstacles, of_slots.object_of, &Partition::object_of);
    if (!of_slots.slots_in.empty() && same == obstacles.end()) {
      obstacles.push_back(std::move(of_slots));
    }
  }
  std::reverse(obstacles.begin(), obstacles.end());
  return obstacles;
}

// processors: the first processor of each slot.
Partition make_kind(const Families& families, Kind kind, const std::vector<int>& processors) {
  std::vector<int> own(processors.size());
  if (kind == Kind::kPu) {
    std::iota(own.begin(), own.end(), 0);
    return make_partition(own);
  }
  const auto grain = families.grain_of(kind);
  return grain ? make_partition(families.at(*grain), processors) : make_partition(own);
}

int first_slots(const Core& core, const Choice& choice) {
  return choice.smt > 0 ? std::min(choice.smt, core.threads()) : 1;
}

std::vector<int> choose_cores(const std::vector<Core>& cores, const Choice& choice) {
  std::set<int, std::greater<>> speeds;
  for (const Core& core : cores) {
    speeds.insert(core.speed);
  }
  std::vector<int> chosen;
  long slots = 0;
  for (int speed : speeds) {
    const bool is_fastest = speed == *speeds.begin();
    const bool is_slowest = speed == *speeds.rbegin();
    const bool whole_kind = choice.cores == CoreChoice::kAll ||
                            (choice.cores == CoreChoice::kEfficient ? is_slowest : is_fastest);
    for (std::size_t i = 0; i < cores.size(); ++i) {
      const bool is_wanting = choice.cores == CoreChoice::kAuto && slots < choice.wanted;
      if (cores[i].speed == speed && (whole_kind || is_wanting)) {
        chosen.push_back(static_cast<int>(i));
        slots += first_slots(cores[i], choice);
      }
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void share_threads(const std::vector<Core>& cores, const std::vector<int>& chosen, long wanted,
                   std::vector<int>& slots) {
  const long count = static_cast<long>(chosen.size());
  long threads = 0;
  for (int core : chosen) {
    threads += cores[core].threads();
  }
  wanted = std::min(wanted, threads);  // each slot needs a hardware thread
  long wanting = wanted;
  for (long i = 0; i < count; ++i) {
    const Core& core = cores[chosen[i]];
    const long even = (i + 1) * wanted / count - i * wanted / count;
    slots[chosen[i]] = static_cast<int>(std::min<long>(even, core.threads()));
    wanting -= slots[chosen[i]];
  }
  while (wanting > 0) {
    for (int core : chosen) {
      if (wanting > 0 && slots[core] < cores[core].threads()) {
        ++slots[core];
        --wanting;
      }
    }
  }
}

}  // namespace

struct Topology::Data {
  Hardware hardware;  // only the processors that may be used
  Families families;
  Numbers numbers;
  NumaNodes numa_nodes;
  std::size_t nodes = 0;  // NUMA nodes with allowed processors; some may have the same processors
  std::vector<Core> cores;
  int cpu_limit = 0;
};

Topology Topology::of(Hardware whole, const std::string& source,
                      const std::optional<std::vector<int>>& allowed) {
  if (allowed) {
    allow_only(whole, *allowed);
  }
  auto data = std::make_shared<Data>();
  data->hardware = restrict_to_allowed(whole);
  if (data->hardware.cpus.empty()) {
    throw Unreadable("no processor of " + (source.empty() ? "this machine" : "'" + source + "'") +
                     " may be used");
  }
  data->families = make_families(whole);
  data->numbers = number_allowed(whole);
  data->numa_nodes = make_numa_nodes(whole);
  data->nodes = std::count_if(whole.numa_processors.begin(), whole.numa_processors.end(),
                              [&](const std::vector<int>& node) {
                                return std::any_of(node.begin(), node.end(),
                                                   [&](int p) { return whole.is_allowed[p]; });
                              });
  data->cores = make_cores(data->hardware, data->families.at(Grain::kCore));
  data->cpu_limit = *std::max_element(whole.cpus.begin(), whole.cpus.end()) + 1;
  return Topology(std::move(data));
}

int Topology::count(Kind kind, CoreChoice cores) const {
  const std::vector<int> processors = processors_of(data_->hardware, cores);
  if (kind == Kind::kPu) {
    return static_cast<int>(processors.size());
  }
  const auto grain = data_->families.grain_of(kind);
  return grain ? count_objects(data_->families.at(*grain), processors) : 1;
}

Machine Topology::slots(const Choice& choice) const {
  const Hardware& hardware = data_->hardware;
  const Families& families = data_->families;
  const std::vector<Cut> cuts = cut_cores(data_->cores, slots_of_cores(data_->cores, choice));
  const SlotsBefore slots_before = count_slots_before(cuts, hardware.cpus.size());

  Machine machine;
  machine.slots = make_slots(cuts, hardware, data_->numbers, families);
  machine.nodes = make_tree(hardware, slots_before);
  machine.topmost = make_topmost(hardware, slots_before);
  machine.numa_distance = families.numa_distance;
  machine.numa_distance_in_ns = data_->numa_nodes.in_ns;

  std::vector<int> processors;
  processors.reserve(cuts.size());
  for (const Cut& cut : cuts) {
    processors.push_back(cut.begin);
  }
  machine.obstacles = make_obstacles(families, processors);
  for (int k = 0; k < kKinds; ++k) {
    machine.kinds[k] = make_kind(families, static_cast<Kind>(k), processors);
  }
  return machine;
}

std::string Topology::summary() const {
  static constexpr struct {
    Grain grain;
    const char* name;
  } kNamed[] = {{Grain::kBoard, "board"},
                {Grain::kPackage, "package"},
                {Grain::kNuma, "NUMA node"},
                {Grain::kCore, "core"}};
  std::string line;
  for (const auto& named : kNamed) {
    if (!data_->families.has(named.grain)) {
      continue;
    }
    const std::size_t count = data_->families.at(named.grain).slots_in.size();
    // Whether each set of cores has two nodes, for example of two kinds of memory.
    const bool are_doubled =
        named.grain == Grain::kNuma && data_->nodes > count && data_->nodes % count == 0;
    line += counted(are_doubled ? data_->nodes : count, named.name) +
            (are_doubled ? " on " + counted(count, "set") + " of cores, " : ", ");
  }
  line += counted(data_->hardware.cpus.size(), "processor");
  return line + (data_->numa_nodes.in_ns ? ", distances: probed" : "");
}

const NumaNodes& Topology::numa_nodes() const { return data_->numa_nodes; }

int Topology::cpu_limit() const { return data_->cpu_limit; }

std::vector<int> slots_of_cores(const std::vector<Core>& cores, const Choice& choice) {
  std::vector<int> slots(cores.size(), 0);
  const std::vector<int> chosen = choose_cores(cores, choice);
  for (int core : chosen) {
    slots[core] = first_slots(cores[core], choice);
  }
  if (choice.smt <= 0 && choice.wanted > static_cast<long>(chosen.size())) {
    share_threads(cores, chosen, choice.wanted, slots);
  }
  return slots;
}

std::vector<Cut> cut_cores(const std::vector<Core>& cores, const std::vector<int>& slots) {
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const Core& core = cores[i];
    const auto first = [&](int s) {
      return core.begin + (s * core.threads() + slots[i] - 1) / slots[i];
    };
    for (int s = 0; s < slots[i]; ++s) {
      cuts.push_back({first(s), first(s + 1), static_cast<int>(i)});
    }
  }
  return cuts;
}

}  // namespace nestbind::machine
