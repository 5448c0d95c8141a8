// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "show/layout.hpp"
#include "show/texts.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::show {

namespace {

enum Column { kPrimary, kPackage, kNuma, kCore, kProcessors, kColumns };
using Row = std::array<std::string, kColumns>;

std::string join(const std::vector<int>& numbers, const char* separator) {
  return fmt::format("{}", fmt::join(numbers, separator));
}

std::string objects(const machine::Machine& machine, const TeamRow& team,
                    int machine::Slot::* kind) {
  std::vector<int> numbers;
  for (const int slot : team.slots) {
    if (machine.slots[slot].*kind >= 0) {
      numbers.push_back(machine.slots[slot].*kind);
    }
  }
  return number_list(std::move(numbers));
}

Row row_of(const machine::Machine& machine, const TeamRow& team) {
  Row row;
  row[kPrimary] = team.primary.empty() ? "initial" : join(team.primary, ".");
  row[kPackage] = objects(machine, team, &machine::Slot::package);
  row[kNuma] = objects(machine, team, &machine::Slot::numa);
  row[kCore] = objects(machine, team, &machine::Slot::core);
  row[kProcessors] = slot_list(machine.slots, team.slots) + (team.is_bound ? "" : " (not bound)");
  return row;
}

void put_table(std::string& text, const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> width{};
  for (const Row& row : rows) {
    for (int column = 0; column < kProcessors; ++column) {
      width[column] = std::max(width[column], row[column].size());
    }
  }
  for (const Row& row : rows) {
    for (int column = 0; column < kProcessors; ++column) {
      text += fmt::format("  {:<{}}", row[column], width[column]);
    }
    text += "  " + row[kProcessors] + "\n";
  }
}

using Json = nlohmann::ordered_json;

Json index_or_null(int index) { return index < 0 ? Json(nullptr) : Json(index); }

std::vector<int> partition_of(const machine::Machine& machine, const ThreadRow& thread) {
  std::vector<int> partition;
  for (const int member : thread.partition) {
    const std::vector<int>& cpus = machine.slots[member].cpus;
    partition.insert(partition.end(), cpus.begin(), cpus.end());
  }
  return partition;
}

Json thread_object(const machine::Machine& machine, const ThreadRow& thread) {
  const machine::Slot& slot = machine.slots[thread.slot];
  return {{"path", thread.path},
          {"cpus", slot.cpus},
          {"bound", thread.is_bound},
          {"core", index_or_null(slot.core)},
          {"package", index_or_null(slot.package)},
          {"numa", index_or_null(slot.numa)},
          {"share", partition_of(machine, thread)}};
}

}  // namespace

std::string text_of(const Layout& layout) {
  const std::size_t slots = layout.machine.slots.size();
  std::string text =
      fmt::format("{}; {} slot{}; {}\n", layout.summary, slots, slots == 1 ? "" : "s", layout.spec);
  if (layout.levels.empty()) {
    text += "\n" + std::string(support::kNothingBound) + "\n";
  }
  for (const std::string& note : notes_of(layout)) {
    text += note + "\n";
  }
  for (const std::string& warning : layout.warnings) {
    text += "warning: " + warning + "\n";
  }
  int number = 0;
  for (const LevelRows& level : layout.levels) {
    text += fmt::format("\nlevel {}: {}\n", ++number, level.rule);
    std::vector<Row> rows{{"primary", "package", "NUMA node", "core", "processors"}};
    for (const TeamRow& team : level.teams) {
      rows.push_back(row_of(layout.machine, team));
    }
    put_table(text, rows);
  }
  return text;
}

// Writes each thread on one line, so that diff can compare two plans.
std::string json_of(const Layout& layout) {
  std::string text = "{\"spec\": " + Json(layout.spec).dump() +
                     ", \"slots\": " + std::to_string(layout.machine.slots.size()) +
                     (layout.machine.numa_distance_in_ns ? ", \"distances\": \"probed\"" : "") +
                     (layout.quota > 0 ? ", \"quota\": " + std::to_string(layout.quota) : "") +
                     ", \"warnings\": " + Json(layout.warnings).dump() + ",\n \"threads\": [";
  const char* separator = "\n  ";
  for (const ThreadRow& thread : layout.threads) {
    text += separator + thread_object(layout.machine, thread).dump();
    separator = ",\n  ";
  }
  return text + "]}\n";
}

std::string csv_of(const Layout& layout) {
  std::string text = "path,cpus,bound,core,package,numa,share\n";
  for (const ThreadRow& thread : layout.threads) {
    const machine::Slot& slot = layout.machine.slots[thread.slot];
    text +=
        fmt::format("{},{},{}", fmt::join(thread.path, "."), join(slot.cpus, " "), thread.is_bound);
    for (const int index : {slot.core, slot.package, slot.numa}) {
      text += index < 0 ? "," : fmt::format(",{}", index);
    }
    text += "," + join(partition_of(layout.machine, thread), " ") + "\n";
  }
  return text;
}

}  // namespace nestbind::show
