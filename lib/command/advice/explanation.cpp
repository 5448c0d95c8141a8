// SPDX-License-Identifier: BSD-3-Clause
#include "advice/explanation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "advice/sharing.hpp"
#include "mask/cpu_list.hpp"
#include "plan/team_plan.hpp"
#include "show/texts.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::advice {

namespace {

using spec::Strategy;

std::vector<int> processors_of(const machine::Machine& machine, const std::vector<int>& slots) {
  std::vector<int> cpus;
  for (const int slot : slots) {
    const std::vector<int>& own = machine.slots[slot].cpus;
    cpus.insert(cpus.end(), own.begin(), own.end());
  }
  return cpus;
}

std::string teams_of(const std::vector<show::TeamRow>& teams) {
  int fewest = 0;
  int most = 0;
  for (const show::TeamRow& team : teams) {
    const int size = static_cast<int>(team.slots.size());
    fewest = most == 0 ? size : std::min(fewest, size);
    most = std::max(most, size);
  }
  const std::string size =
      fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
  return teams.size() == 1 ? fmt::format("one team of {}", size)
                           : fmt::format("{} teams of {}", teams.size(), size);
}

const char* manner(const spec::Level& level, bool is_inner) {
  switch (level.strategy) {
    case Strategy::kScatter:
      return is_inner ? "spread over the free cores of the whole machine; the primary thread stays "
                        "in place"
                      : "spread over the machine, as evenly as whole objects allow";
    case Strategy::kCompact:
      return is_inner ? "on the free cores nearest to its primary thread, anywhere in the machine"
                      : "side by side from the first core on";
    case Strategy::kSubscatter:
      return "spread over its primary thread's part";
    case Strategy::kSubcompact:
      return "side by side in its primary thread's part";
  }
  return "";
}

std::string where(const spec::Level& level, bool is_inner, const machine::Machine& machine,
                  const std::vector<show::TeamRow>& teams) {
  std::string text = level.is_star ? "teams of any size; here " : "";
  text += teams_of(teams) + (teams.size() > 1 ? ", each " : ", ") + manner(level, is_inner);
  if (level.has_domain) {
    text += fmt::format(", in the {} of its primary thread", spec::name(level.domain));
  }
  const std::vector<int> cpus = processors_of(machine, teams.front().slots);
  const bool is_one = std::ranges::all_of(cpus, [&](int cpu) { return cpu == cpus.front(); });
  return text + fmt::format(": {}on processor{} {}", teams.size() > 1 ? "the first " : "",
                            is_one ? "" : "s", mask::list(cpus));
}

bool is_alone(const std::vector<show::TeamRow>& teams) {
  return std::ranges::all_of(teams,
                             [](const show::TeamRow& team) { return team.slots.size() < 2; });
}

plan::Path path_of(const std::vector<int>& numbers, const show::Layout& layout) {
  plan::Path path;
  for (auto end = numbers.begin(); end != numbers.end(); ++end) {
    const std::vector<int> primary(numbers.begin(), end);
    const auto team =
        std::ranges::find(layout.levels[path.size()].teams, primary, &show::TeamRow::primary);
    path.push_back({*end, static_cast<int>(team->slots.size())});
  }
  return path;
}

std::string beyond(const show::Layout& layout, plan::Plan& plan,
                   const std::vector<show::TeamRow>& teams) {
  const show::TeamRow& first = teams.front();
  const plan::Path path = path_of(first.primary, layout);
  const int size = static_cast<int>(first.slots.size()) + 1;
  const plan::Team& team = plan.team(path, size);
  std::set<int> own;
  for (const plan::PlannedSlot& planned : team) {
    own.insert(planned.slot);
  }
  bool meets_others = false;
  for (const show::TeamRow& other : teams) {
    for (const int slot : other.slots) {
      meets_others = meets_others || (other.primary != first.primary && own.contains(slot));
    }
  }
  const std::string what = fmt::format("a team of {} in place of {} ", size, size - 1);
  if (static_cast<int>(own.size()) < size) {
    return what + fmt::format("has {} slot{} for its threads, and some share one", own.size(),
                              own.size() == 1 ? "" : "s");
  }
  return what + (meets_others ? "has a slot for each thread, but shares slots with other teams"
                              : "has a slot of its own for each thread");
}

LevelWords words_of(const show::LevelRows& level, const spec::Level& rule, bool is_inner,
                    const show::Layout& layout, plan::Plan& plan) {
  const machine::Machine& machine = layout.machine;
  LevelWords words;
  words.rule = level.rule;
  if (is_alone(level.teams)) {
    words.where = std::string(rule.is_star ? "teams of any size; here " : "") +
                  teams_of(level.teams) +
                  (rule.size == 1 ? ": each thread on its own slot"
                                  : ": no change, each thread stays in place");
    return words;
  }
  const Sharing sharing = sharing_of(machine, level.teams);
  words.where = where(rule, is_inner, machine, level.teams);
  words.shares = fmt::format("the members of {} are {}",
                             sharing.teams > 1 ? "each team" : "the team", within(sharing));
  words.apart = between(sharing);
  words.beyond = beyond(layout, plan, level.teams);
  return words;
}

LevelWords words_of_deeper_levels(const spec::Level& rule) {
  LevelWords words;
  words.rule = show::canonical(rule) + " at each deeper level";
  words.where = std::string("teams of any size, each ") + manner(rule, true);
  return words;
}

std::string fit_of(const show::Layout& layout, std::size_t cores) {
  const std::size_t slots = layout.machine.slots.size();
  const std::string count =
      fmt::format("{} thread{} on {} slot{} of {} core{}", layout.threads.size(),
                  layout.threads.size() == 1 ? "" : "s", slots, slots == 1 ? "" : "s", cores,
                  cores == 1 ? "" : "s");
  if (layout.warnings.empty()) {
    return count + ": each thread has its own";
  }
  std::string text;
  for (const std::string& warning : layout.warnings) {
    text += (text.empty() ? ": they do not fit; nestbind warns once: " : "; ") + warning;
  }
  return count + text;
}

std::string idle_of(const show::Layout& layout, const std::vector<machine::Slot>& cores) {
  std::set<int> taken;
  for (const show::ThreadRow& thread : layout.threads) {
    const std::vector<int>& cpus = layout.machine.slots[thread.slot].cpus;
    taken.insert(cpus.begin(), cpus.end());
  }
  std::vector<int> idle;
  int idle_cores = 0;
  for (const machine::Slot& core : cores) {
    bool is_taken = false;
    for (const int cpu : core.cpus) {
      is_taken = is_taken || taken.contains(cpu);
      if (!taken.contains(cpu)) {
        idle.push_back(cpu);
      }
    }
    idle_cores += is_taken ? 0 : 1;
  }
  if (idle.empty()) {
    return "no processor";
  }
  const std::string list = mask::list(idle);
  return fmt::format("{} of {} cores, processor{} {}", idle_cores, cores.size(),
                     idle.size() == 1 ? "" : "s", list);
}

}  // namespace

Explanation explain(const spec::Spec& spec, const machine::Topology& topology, int smt,
                    machine::CoreChoice cores, const std::vector<Runtime>& runtimes, int quota,
                    const std::vector<int>& shape) {
  const show::Layout layout = show::make_layout(spec, topology, smt, cores, {}, shape, quota);
  plan::Plan plan = plan::make(spec, topology, smt, cores, {}, quota);
  // All cores with all their hardware threads, also the slower cores of a hybrid machine.
  const std::vector<machine::Slot> all = topology.slots({1, 1, machine::CoreChoice::kAll}).slots;
  Explanation explanation;
  explanation.machine = layout.summary;
  explanation.spec = layout.spec;
  for (std::size_t level = 0; level < layout.levels.size(); ++level) {
    explanation.levels.push_back(words_of(layout.levels[level],
                                          spec.level[std::min<std::size_t>(level, spec.levels - 1)],
                                          level > 0, layout, plan));
  }
  if (spec.is_auto) {
    explanation.levels.push_back(words_of_deeper_levels(spec.level[1]));
  }
  if (spec.is_off()) {
    explanation.fit = support::kNothingBound;
    return explanation;
  }
  explanation.fit = fit_of(layout, all.size());
  explanation.idle = idle_of(layout, all);
  const auto is_open = [](const spec::Level& level) { return level.is_star; };
  if (std::any_of(spec.level, spec.level + spec.levels, is_open)) {
    return explanation;
  }
  for (const Runtime runtime : runtimes) {
    explanation.equivalents.push_back({runtime, advice::equivalents(layout, all, runtime)});
  }
  return explanation;
}

}  // namespace nestbind::advice
