// SPDX-License-Identifier: BSD-3-Clause
#include "advice/suggestions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "advice/sharing.hpp"
#include "show/layout.hpp"
#include "show/texts.hpp"

namespace nestbind::advice {

namespace {

struct Candidate {
  std::string text;
  const char* why;
};

std::string spec_of(const std::vector<int>& shape, const char* outer, const char* inner) {
  std::string text = fmt::format("{},{}", shape[0], outer);
  for (std::size_t level = 1; level < shape.size(); ++level) {
    text += fmt::format(",{},{}", shape[level], inner);
  }
  return text;
}

// Before the first level that has a choice.
std::vector<Candidate> behind_teams_of_one(std::size_t levels, std::vector<Candidate> candidates) {
  for (Candidate& candidate : candidates) {
    for (std::size_t level = 0; level < levels; ++level) {
      candidate.text = "1,scatter," + candidate.text;
    }
  }
  return candidates;
}

std::vector<Candidate> of_shape(const std::vector<int>& shape) {
  const auto several = std::ranges::find_if(shape, [](int size) { return size > 1; });
  if (several != shape.begin() && several != shape.end()) {
    return behind_teams_of_one(static_cast<std::size_t>(several - shape.begin()),
                               of_shape({several, shape.end()}));
  }
  if (shape.size() == 1) {
    return {{spec_of(shape, "scatter", ""), "far apart, for memory bandwidth and whole caches"},
            {spec_of(shape, "compact", ""), "close together, for threads that exchange data"}};
  }
  return {
      {spec_of(shape, "scatter", "subcompact"),
       "the teams far apart, the members of each close together"},
      {spec_of(shape, "scatter", "subscatter"),
       "the teams far apart, and the members of a team spread over its whole part"},
      {spec_of(shape, "compact", "subcompact"),
       "everything close together, for teams that exchange data"},
      {spec_of(shape, "scatter", "scatter"),
       "the members of each team far apart, for inner teams that want all the bandwidth"},
      {spec_of(shape, "compact", "scatter"),
       "the primary threads close together, the members of each team far apart"},
      {spec_of(shape, "scatter", "compact"),
       "the teams far apart, their members on free cores nearby"},
  };
}

std::vector<Candidate> of_machine() {
  return {
      {"numa,scatter,core,subcompact",
       "an outer thread for each NUMA node, an inner one for each of its cores"},
      {"l3,scatter,core,subcompact",
       "an outer thread for each L3 cache, an inner one for each of its cores"},
      {"package,scatter,core,subcompact",
       "an outer thread for each package, an inner one for each of its cores"},
      {"numa,scatter,l2,subscatter",
       "an inner thread for each L2 cache, so that no two threads share one"},
      {"l2,scatter,core,subcompact",
       "an outer thread for each L2 cache, an inner one for each of its cores"},
      {"numa,scatter,pu,subcompact",
       "an outer thread for each NUMA node, an inner one for each of its hardware threads"},
      {"core,scatter", "for a program with one level: a thread for each core"},
      {"pu,compact", "for a program with one level: a thread for each hardware thread"},
  };
}

using Slots = std::vector<std::pair<std::vector<int>, std::vector<int>>>;

Slots slots_of(const show::Layout& layout) {
  Slots slots;
  for (const show::ThreadRow& thread : layout.threads) {
    slots.emplace_back(thread.path, layout.machine.slots[thread.slot].cpus);
  }
  return slots;
}

bool is_worth_trying(const show::Layout& layout) {
  return layout.warnings.empty() && layout.threads.size() > 1 &&
         std::ranges::all_of(layout.threads, &show::ThreadRow::is_bound);
}

// True if half of the teams of one level have one thread, as on the slow cores of a laptop, which
// share caches, beside fast cores, which do not.
bool has_idle_level(const show::Layout& layout) {
  return std::ranges::any_of(layout.levels, [](const show::LevelRows& level) {
    const auto alone = std::ranges::count_if(
        level.teams, [](const show::TeamRow& team) { return team.slots.size() < 2; });
    return 2 * static_cast<std::size_t>(alone) >= level.teams.size();
  });
}

Sharing sharing_in(const show::Layout& layout) {
  auto level = layout.levels.rbegin();
  Sharing sharing = sharing_of(layout.machine, level->teams);
  while (sharing.teams == 0 && ++level != layout.levels.rend()) {
    sharing = sharing_of(layout.machine, level->teams);
  }
  return sharing;
}

// Looks at the plan, not at the strategies' names.
std::string serves(const spec::Spec& spec, const Sharing& sharing) {
  const Sharing::Of& nodes = sharing.of[kNuma];
  const bool are_teams = sharing.teams > 1;
  const char* whom = are_teams ? "teams" : "threads";
  if (nodes.most > 1) {
    return fmt::format("{} that want the bandwidth of several NUMA nodes, and share little", whom);
  }
  if (spec.level[0].strategy == spec::Strategy::kCompact || !are_teams) {
    return fmt::format("{} that share data and synchronise often", whom);
  }
  if (nodes.objects > 1 && nodes.is_apart) {
    return "independent memory-bound teams: one team on each NUMA node, no team on two nodes";
  }
  return "independent teams whose members share data and synchronise often";
}

// True if a size is l2 or l3, but no slot is in such a cache.
bool names_what_is_missing(const spec::Spec& spec, const show::Layout& layout) {
  for (const auto& [kind, shared] : {std::pair(spec::Kind::kL2, kL2), {spec::Kind::kL3, kL3}}) {
    const auto names = [wanted = kind](const spec::Level& level) {
      return spec::is_symbolic(level) && level.object == wanted;
    };
    const auto is_in_none = [where = shared](const machine::Slot& slot) {
      return object_of(slot, where) < 0;
    };
    if (std::any_of(spec.level, spec.level + spec.levels, names) &&
        std::ranges::all_of(layout.machine.slots, is_in_none)) {
      return true;
    }
  }
  return false;
}

std::string reason_of(const Candidate& candidate, const Sharing& sharing) {
  const std::string apart = between(sharing);
  return fmt::format("{}; {} {}{}", candidate.why, sharing.teams > 1 ? "each team" : "the team",
                     within(sharing), apart.empty() ? "" : ", " + apart);
}

spec::Spec auto_spec() {
  spec::Spec spec;
  spec::Fault fault;
  spec::parse("auto", spec, fault);
  return spec;
}

bool is_as_auto(const Slots& slots, const machine::Topology& topology,
                const std::vector<int>& shape, int smt, machine::CoreChoice cores) {
  return !shape.empty() &&
         slots_of(show::make_layout(auto_spec(), topology, smt, cores, {}, shape)) == slots;
}

}  // namespace

long threads_of(const std::vector<int>& shape) {
  constexpr long kEnough = 1L << 40;
  long threads = 1;
  for (const int size : shape) {
    threads = std::min(kEnough, threads * size);
  }
  return threads;
}

std::vector<Suggestion> suggest(const machine::Topology& topology, const std::vector<int>& shape,
                                int smt, machine::CoreChoice cores) {
  std::vector<Suggestion> found;
  if (threads_of(shape) > topology.count(machine::Kind::kPu)) {
    return found;  // planning a million threads takes too long
  }
  std::vector<Slots> seen;
  for (const Candidate& candidate : shape.empty() ? of_machine() : of_shape(shape)) {
    spec::Spec spec;
    spec::Fault fault;
    if (found.size() == kMostSuggestions || !spec::parse(candidate.text, spec, fault)) {
      continue;
    }
    const show::Layout layout = show::make_layout(spec, topology, smt, cores);
    Slots slots = slots_of(layout);
    const bool is_idle =
        shape.empty() && (has_idle_level(layout) || names_what_is_missing(spec, layout));
    if (!is_idle && is_worth_trying(layout) && std::ranges::find(seen, slots) == seen.end()) {
      const Sharing sharing = sharing_in(layout);
      found.push_back(
          {spec, show::canonical(spec), serves(spec, sharing), reason_of(candidate, sharing)});
      if (is_as_auto(slots, topology, shape, smt, cores)) {
        found.back().reason += "; auto does the same if the program sets these sizes itself";
      }
      seen.push_back(std::move(slots));
    }
  }
  return found;
}

}  // namespace nestbind::advice
