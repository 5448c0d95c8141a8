// SPDX-License-Identifier: BSD-3-Clause
#include "advice/sharing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

namespace nestbind::advice {

namespace {

constexpr struct {
  const char* name;
  int machine::Slot::* number;
} kKinds[kSharedKinds] = {
    {"core", &machine::Slot::core},       {"L2 cache", &machine::Slot::l2},
    {"L3 cache", &machine::Slot::l3},     {"NUMA node", &machine::Slot::numa},
    {"package", &machine::Slot::package},
};

std::set<int> objects_of(const machine::Machine& machine, const std::vector<int>& slots,
                         Shared kind) {
  std::set<int> objects;
  for (const int slot : slots) {
    objects.insert(object_of(machine.slots[slot], kind));
  }
  objects.erase(-1);
  return objects;
}

bool is_in_all(const machine::Machine& machine, const std::vector<int>& slots, Shared kind) {
  return std::ranges::none_of(slots,
                              [&](int slot) { return object_of(machine.slots[slot], kind) < 0; });
}

Sharing::Of of_kind(const machine::Machine& machine, const std::vector<show::TeamRow>& teams,
                    Shared kind) {
  Sharing::Of of;
  std::set<int> all;
  for (const machine::Slot& slot : machine.slots) {
    all.insert(object_of(slot, kind));
  }
  all.erase(-1);
  of.objects = static_cast<int>(all.size());
  of.is_apart = !all.empty();
  std::set<int> taken;
  for (const show::TeamRow& team : teams) {
    if (team.slots.size() < 2) {
      continue;
    }
    const std::set<int> own = objects_of(machine, team.slots, kind);
    const int count = static_cast<int>(own.size());
    of.within_one += count == 1 && is_in_all(machine, team.slots, kind) ? 1 : 0;
    of.fewest = of.most == 0 ? count : std::min(of.fewest, count);
    of.most = std::max(of.most, count);
    for (const int object : own) {
      of.is_apart = taken.insert(object).second && of.is_apart;
    }
  }
  return of;
}

const char* name(Shared kind) { return kKinds[kind].name; }

std::string counted(int count, Shared kind) {
  return fmt::format("{} {}{}", count, name(kind), count == 1 ? "" : "s");
}

}  // namespace

int object_of(const machine::Slot& slot, Shared kind) { return slot.*kKinds[kind].number; }

Sharing sharing_of(const machine::Machine& machine, const std::vector<show::TeamRow>& teams) {
  Sharing sharing;
  std::map<int, std::set<const show::TeamRow*>> teams_on;
  for (const show::TeamRow& team : teams) {
    const int size = static_cast<int>(team.slots.size());
    if (size < 2) {
      continue;
    }
    sharing.smallest = sharing.teams == 0 ? size : std::min(sharing.smallest, size);
    sharing.largest = std::max(sharing.largest, size);
    ++sharing.teams;
    for (const int slot : team.slots) {
      teams_on[slot].insert(&team);
    }
  }
  for (const auto& [slot, those] : teams_on) {
    sharing.shared_slots += those.size() > 1 ? 1 : 0;
  }
  for (int kind = 0; kind < kSharedKinds; ++kind) {
    sharing.of[kind] = of_kind(machine, teams, static_cast<Shared>(kind));
  }
  return sharing;
}

std::string within(const Sharing& sharing) {
  if (sharing.teams == 0) {
    return {};
  }
  std::string text;
  bool is_in_node = false;
  for (const Shared kind : {kCore, kL2, kL3, kNuma, kPackage}) {
    const Sharing::Of& of = sharing.of[kind];
    const bool holds = of.objects > 0 && of.within_one == sharing.teams;
    if (holds && (text.empty() || (kind == kNuma && of.objects > 1))) {
      text += fmt::format("{}one {}", text.empty() ? "within " : " and ", name(kind));
      is_in_node = is_in_node || kind == kNuma;
    }
  }
  const Sharing::Of& nodes = sharing.of[kNuma];
  if (!is_in_node && nodes.objects > 1 && nodes.most > 1) {
    const std::string most = counted(nodes.most, kNuma);
    text += (text.empty() ? "over " : ", over ") +
            (nodes.fewest == nodes.most ? most : fmt::format("{} to {}", nodes.fewest, most));
  } else if (text.empty()) {
    text = "over the machine; its cores share no cache";
  }
  return text;
}

std::string between(const Sharing& sharing) {
  if (sharing.teams < 2) {
    return {};
  }
  if (sharing.shared_slots > 0) {
    return "members of different teams are on the same processors";
  }
  for (const Shared kind : {kPackage, kNuma, kL3, kL2, kCore}) {
    const bool is_cores_own = kind == kL2 && sharing.of[kL2].objects == sharing.of[kCore].objects;
    if (sharing.of[kind].is_apart && sharing.of[kind].objects > 1 && !is_cores_own) {
      return fmt::format("no {} has members of two teams", name(kind));
    }
  }
  return sharing.of[kCore].objects > 1 ? "members of different teams share cores"
                                       : "no processor has members of two teams";
}

}  // namespace nestbind::advice
