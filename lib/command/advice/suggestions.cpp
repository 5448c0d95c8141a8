// SPDX-License-Identifier: BSD-3-Clause
#include "advice/suggestions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "advice/sharing.hpp"
#include "show/canonical.hpp"
#include "show/layout.hpp"

namespace nestbind::advice {

namespace {

struct Candidate {
  std::string text;
  const char* why;
};

// All levels but the first alike.
std::string spec_of(const std::vector<int>& shape, const char* outer, const char* inner) {
  std::string text = fmt::format("{},{}", shape[0], outer);
  for (std::size_t level = 1; level < shape.size(); ++level) {
    text += fmt::format(",{},{}", shape[level], inner);
  }
  return text;
}

std::vector<Candidate> of_shape(const std::vector<int>& shape) {
  if (shape.size() == 1) {
    return {{spec_of(shape, "scatter", ""), "far apart, for memory bandwidth and whole caches"},
            {spec_of(shape, "compact", ""), "close together, for threads that exchange data"}};
  }
  return {
      {spec_of(shape, "scatter", "subcompact"),
       "the teams far apart, the members of each close together"},
      {spec_of(shape, "scatter", "subscatter"),
       "the teams far apart, the members of each over its whole part"},
      {spec_of(shape, "compact", "subcompact"),
       "everything close together, for teams that exchange data"},
      {spec_of(shape, "scatter", "scatter"),
       "the members of each team far apart, for inner teams that want all the bandwidth"},
      {spec_of(shape, "compact", "scatter"),
       "the primary threads close together, the members of each team far apart"},
      {spec_of(shape, "scatter", "compact"),
       "the teams far apart, their members on what is free nearby"},
  };
}

// For any machine: what it does not have counts as the next larger kind, and falls away as the
// same.
std::vector<Candidate> of_machine() {
  return {
      {"numa,scatter,core,subcompact",
       "an outer thread for each NUMA node, an inner one for each "
       "of its cores"},
      {"l3,scatter,core,subcompact",
       "an outer thread for each L3 cache, an inner one for each of "
       "its cores"},
      {"package,scatter,core,subcompact",
       "an outer thread for each package, an inner one for each "
       "of its cores"},
      {"numa,scatter,l2,subscatter", "an inner thread for each L2 cache, which it has to itself"},
      {"l2,scatter,core,subcompact",
       "an outer thread for each L2 cache, an inner one for each of "
       "its cores"},
      {"numa,scatter,pu,subcompact", "hardware threads too: an inner one for each"},
      {"core,scatter", "for a program with one level: a thread for each core"},
      {"pu,compact", "for a program with one level: a thread for each hardware thread"},
  };
}

// Where each thread sits; by it two layouts are the same.
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

// A symbol that stands for one object only makes a level of teams of one.
bool has_idle_level(const show::Layout& layout) {
  return std::ranges::any_of(layout.levels, [](const show::LevelRows& level) {
    return std::ranges::all_of(level.teams,
                               [](const show::TeamRow& team) { return team.slots.size() < 2; });
  });
}

std::string reason_of(const Candidate& candidate, const show::Layout& layout) {
  auto level = layout.levels.rbegin();
  Sharing sharing = sharing_of(layout.machine, level->teams);
  while (sharing.teams == 0 && ++level != layout.levels.rend()) {  // of teams of one
    sharing = sharing_of(layout.machine, level->teams);
  }
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

// "auto" puts the teams of a shape where these slots are.
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
    return found;  // not even planned: a plan of a million threads takes its time
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
    const bool is_idle = shape.empty() && has_idle_level(layout);
    if (!is_idle && is_worth_trying(layout) && std::ranges::find(seen, slots) == seen.end()) {
      found.push_back({spec, show::canonical(spec), reason_of(candidate, layout)});
      if (is_as_auto(slots, topology, shape, smt, cores)) {
        found.back().reason += "; auto does the same if the program sets these sizes itself";
      }
      seen.push_back(std::move(slots));
    }
  }
  return found;
}

}  // namespace nestbind::advice
