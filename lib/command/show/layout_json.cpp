// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "show/layout.hpp"

namespace nestbind::show {

namespace {

using Json = nlohmann::ordered_json;  // keys in the order in which they are added

Json index_or_null(int index) { return index < 0 ? Json(nullptr) : Json(index); }

Json thread_object(const machine::Machine& machine, const ThreadRow& thread) {
  const machine::Slot& slot = machine.slots[thread.slot];
  std::vector<int> partition;
  for (const int member : thread.partition) {
    const std::vector<int>& cpus = machine.slots[member].cpus;
    partition.insert(partition.end(), cpus.begin(), cpus.end());
  }
  Json object;
  object["path"] = thread.path;
  object["cpus"] = slot.cpus;
  object["bound"] = thread.is_bound;
  object["core"] = index_or_null(slot.core);
  object["package"] = index_or_null(slot.package);
  object["numa"] = index_or_null(slot.numa);
  object["share"] = std::move(partition);
  return object;
}

}  // namespace

// One line for each thread, so that two plans can be compared with diff.
std::string json_of(const Layout& layout) {
  std::string text = "{\"spec\": " + Json(layout.spec).dump() +
                     ", \"slots\": " + std::to_string(layout.machine.slots.size()) +
                     (layout.machine.numa_distance_in_ns ? ", \"distances\": \"probed\"" : "") +
                     ", \"warnings\": " + Json(layout.warnings).dump() + ",\n \"threads\": [";
  const char* separator = "\n  ";
  for (const ThreadRow& thread : layout.threads) {
    text += separator + thread_object(layout.machine, thread).dump();
    separator = ",\n  ";
  }
  return text + "]}\n";
}

}  // namespace nestbind::show
