// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "advice/explanation.hpp"
#include "mask/cpu_list.hpp"

namespace nestbind::advice {

namespace {

using Places = std::vector<std::vector<int>>;

struct Wanted {
  std::vector<int> sizes;  // the size of the largest team of each level
  int uneven_level = 0;
  int fewest = 0;
  Places places;
  std::vector<std::vector<int>> paths;
  int teams = 0;       // number of teams of two or more members, at all levels
  int team_level = 0;  // the deepest level with such teams (1 or more)
};

Wanted wanted_of(const show::Layout& layout) {
  Wanted wanted;
  for (const show::LevelRows& level : layout.levels) {
    int fewest = 0;
    int most = 0;
    for (const show::TeamRow& team : level.teams) {
      const int size = static_cast<int>(team.slots.size());
      fewest = most == 0 ? size : std::min(fewest, size);
      most = std::max(most, size);
      wanted.teams += size > 1 ? 1 : 0;
      wanted.team_level = size > 1 ? static_cast<int>(wanted.sizes.size()) + 1 : wanted.team_level;
    }
    wanted.sizes.push_back(most);
    if (fewest != most && wanted.uneven_level == 0) {
      wanted.uneven_level = static_cast<int>(wanted.sizes.size());
      wanted.fewest = fewest;
    }
  }
  for (const show::ThreadRow& thread : layout.threads) {
    wanted.places.push_back(layout.machine.slots[thread.slot].cpus);
    std::ranges::sort(wanted.places.back());
    wanted.paths.push_back(thread.path);
  }
  return wanted;
}

std::string sizes_of(const Wanted& wanted) {
  return fmt::format("OMP_NUM_THREADS={} OMP_MAX_ACTIVE_LEVELS={}", fmt::join(wanted.sizes, ","),
                     wanted.sizes.size());
}

// Returns `spread` for outer levels, so that each member gets its own part of the places.
std::vector<Bind> binds_for(const Wanted& wanted, Bind deepest) {
  std::vector<Bind> binds(wanted.sizes.size(), Bind::kSpread);
  binds.back() = deepest;
  return binds;
}

std::string words_of(const std::vector<Bind>& binds) {
  std::string text;
  for (const Bind bind : binds) {
    text += text.empty() ? "" : ",";
    text += bind == Bind::kSpread ? "spread" : bind == Bind::kClose ? "close" : "primary";
  }
  return text;
}

Places by_runtime(Runtime runtime, const Places& places, const Wanted& wanted, Bind deepest) {
  Places taken;
  for (const int place : places_of(runtime, static_cast<int>(places.size()), wanted.sizes,
                                   binds_for(wanted, deepest))) {
    taken.push_back(places[place]);
  }
  return taken;
}

std::string uneven(const Wanted& wanted) {
  return fmt::format(
      "the teams of level {} have {} to {} members, and OMP_NUM_THREADS has one number for a level",
      wanted.uneven_level, wanted.fewest, wanted.sizes[wanted.uneven_level - 1]);
}

std::string processors(const std::vector<int>& cpus) {
  return cpus.size() == 1 ? fmt::format("{}", cpus[0]) : "{" + mask::list(cpus) + "}";
}

std::string difference(const Wanted& wanted, const Places& native) {
  std::map<std::vector<int>, std::set<std::vector<int>>> teams_on;
  for (std::size_t i = 0; i < native.size(); ++i) {
    const std::vector<int>& path = wanted.paths[i];
    teams_on[native[i]].insert({path.begin(), path.end() - 1});
  }
  const bool do_teams_share =
      wanted.sizes.size() > 1 &&
      std::ranges::any_of(teams_on, [](const auto& teams) { return teams.second.size() > 1; });
  std::size_t first = 0;
  while (first + 1 < native.size() && native[first] == wanted.places[first]) {
    ++first;
  }
  return fmt::format("thread {} would be on {}, the plan has it on {}{}",
                     fmt::join(wanted.paths[first], "."), processors(native[first]),
                     processors(wanted.places[first]),
                     do_teams_share ? "; members of different teams would share processors" : "");
}

Equivalent by_list(const Wanted& wanted, Runtime runtime) {
  Equivalent row{"OMP_PLACES", false, "", ""};
  row.line = fmt::format("{} OMP_PROC_BIND={} OMP_PLACES='{}'", sizes_of(wanted),
                         words_of(binds_for(wanted, Bind::kClose)), places_text(wanted.places));
  if (wanted.uneven_level > 0) {
    row.reason = uneven(wanted);
    return row;
  }
  const Places native = by_runtime(runtime, wanted.places, wanted, Bind::kClose);
  row.is_equal = native == wanted.places;
  row.reason = row.is_equal ? "" : difference(wanted, native);
  return row;
}

std::string by_cores_line(const Wanted& wanted, Bind deepest) {
  return fmt::format("{} OMP_PROC_BIND={} OMP_PLACES=cores", sizes_of(wanted),
                     words_of(binds_for(wanted, deepest)));
}

// Compares OMP_PLACES=cores, the most common setting, with the wanted layout.
Equivalent by_cores(const Wanted& wanted, const std::vector<machine::Slot>& machine_cores,
                    Runtime runtime) {
  Equivalent row{"OMP_PLACES=cores", false, "", ""};
  row.line = by_cores_line(wanted, Bind::kClose);
  if (wanted.uneven_level > 0) {
    row.reason = uneven(wanted);
    return row;
  }
  Places cores;
  for (const machine::Slot& core : machine_cores) {
    cores.push_back(core.cpus);
    std::ranges::sort(cores.back());
  }
  if (!std::ranges::is_sorted(cores)) {
    row.reason =
        "the processors of this machine are not numbered core by core, so each runtime has its own "
        "order of the cores";
    return row;
  }
  const Places close = by_runtime(runtime, cores, wanted, Bind::kClose);
  const Places spread = by_runtime(runtime, cores, wanted, Bind::kSpread);
  row.is_equal = close == wanted.places || spread == wanted.places;
  row.reason = row.is_equal ? "" : difference(wanted, close);
  const Bind deepest = close == wanted.places || !row.is_equal ? Bind::kClose : Bind::kSpread;
  row.line = by_cores_line(wanted, deepest);
  return row;
}

// Member 0 of a team is the thread that forks the team. Inner teams are assumed to be forked in
// order.
std::vector<int> in_order_of_creation(const std::vector<std::vector<int>>& paths) {
  std::vector<std::pair<std::ptrdiff_t, int>> order;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto last =
        std::find_if(paths[i].rbegin(), paths[i].rend(), [](int n) { return n != 0; });
    order.emplace_back(paths[i].rend() - last, static_cast<int>(i));
  }
  std::ranges::sort(order);
  std::vector<int> indices;
  indices.reserve(order.size());
  for (const auto& [level, index] : order) {
    indices.push_back(index);
  }
  return indices;
}

constexpr char kAnyOrder[] =
    "places threads by the order of their creation, and teams that are forked at the same time "
    "create their threads in any order";

Equivalent by_kmp_affinity(const Wanted& wanted, Runtime runtime) {
  Equivalent row{"KMP_AFFINITY", false, "", ""};
  if (runtime == Runtime::kGnu) {
    row.reason = "GCC's runtime does not read it";
    return row;
  }
  std::string list;
  for (const int index : in_order_of_creation(wanted.paths)) {
    const std::vector<int>& cpus = wanted.places[index];
    list += (list.empty() ? "" : ",") + (cpus.size() == 1
                                             ? fmt::format("{}", cpus[0])
                                             : fmt::format("{{{}}}", fmt::join(cpus, ",")));
  }
  row.line = fmt::format("{} KMP_AFFINITY='granularity=thread,proclist=[{}],explicit'",
                         sizes_of(wanted), list);
  row.is_equal = wanted.uneven_level == 0 && wanted.teams == 1;
  if (!row.is_equal) {
    row.reason = wanted.uneven_level > 0 ? uneven(wanted) : kAnyOrder;
  }
  return row;
}

bool are_all_there(const std::vector<machine::Slot>& machine_cores) {
  std::vector<int> all;
  for (const machine::Slot& core : machine_cores) {
    all.insert(all.end(), core.cpus.begin(), core.cpus.end());
  }
  return std::ranges::max(all) + 1 == static_cast<int>(all.size());
}

Equivalent by_likwid(const Wanted& wanted, const std::vector<machine::Slot>& machine_cores,
                     Runtime runtime) {
  Equivalent row{"likwid-pin", false, "", ""};
  std::vector<int> list;
  for (const int index : in_order_of_creation(wanted.paths)) {
    list.push_back(wanted.places[index][0]);
  }
  // likwid-pin reads OMP_NUM_THREADS itself, and ends if the variable is a list.
  row.line = fmt::format("likwid-pin -q -s 0x0 -c {} env {} ./program", fmt::join(list, ","),
                         sizes_of(wanted));
  std::vector<int> sorted = list;
  std::ranges::sort(sorted);
  const bool has_twice = std::ranges::adjacent_find(sorted) != sorted.end();
  const bool has_several =
      std::ranges::any_of(wanted.places, [](const auto& cpus) { return cpus.size() > 1; });
  if (!are_all_there(machine_cores)) {
    row.line.clear();
    row.reason = "has its own numbers for the processors if the process may use only some of them";
  } else if (wanted.uneven_level > 0) {
    row.reason = uneven(wanted);
  } else if (has_several) {
    row.reason =
        "puts a thread on one processor, but the plan gives the thread several hardware threads of "
        "a core";
  } else if (wanted.teams > 1) {
    row.reason = kAnyOrder;
  } else if (has_twice) {
    row.reason =
        "uses each processor of its list once, but the plan puts several threads on one processor";
  } else if (wanted.team_level > 1 && runtime == Runtime::kGnu) {
    row.reason =
        "places threads by the order of their creation, and GCC's runtime creates the threads of "
        "an inner team anew at each fork";
  }
  row.is_equal = row.reason.empty();
  return row;
}

Equivalent by_numactl(const Wanted& wanted) {
  std::vector<int> all;
  for (const std::vector<int>& cpus : wanted.places) {
    all.insert(all.end(), cpus.begin(), cpus.end());
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  Equivalent row{"numactl", false, "", ""};
  row.line =
      fmt::format("{} numactl --physcpubind={} ./program", sizes_of(wanted), mask::list(all));
  row.is_equal = wanted.uneven_level == 0 &&
                 std::ranges::all_of(wanted.places, [&](const auto& cpus) { return cpus == all; });
  if (!row.is_equal) {
    row.reason = "has one set of processors for the whole process: each thread may move in it";
  }
  return row;
}

}  // namespace

std::string places_text(const Places& places) {
  const auto stride = [&](std::size_t at) {
    const auto& [a, b] = std::pair(places[at - 1], places[at]);
    const int by = b[0] - a[0];
    const bool is_alike =
        a.size() == b.size() && std::ranges::equal(a, b, [&](int x, int y) { return x + by == y; });
    return is_alike && by > 0 ? by : 0;
  };
  std::string text;
  for (std::size_t begin = 0; begin < places.size();) {
    std::size_t end = begin + 1;
    const int by = end < places.size() ? stride(end) : 0;
    while (by > 0 && end < places.size() && stride(end) == by) {
      ++end;
    }
    const bool is_run = end - begin > 2;
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ",", fmt::join(places[begin], ","));
    text += is_run ? fmt::format(":{}:{}", end - begin, by) : "";
    begin = is_run ? end : begin + 1;
  }
  return text;
}

std::vector<Equivalent> equivalents(const show::Layout& layout,
                                    const std::vector<machine::Slot>& machine_cores,
                                    Runtime runtime) {
  const bool is_any_bound = std::ranges::any_of(layout.threads, &show::ThreadRow::is_bound);
  if (!is_any_bound) {
    return {};
  }
  const Wanted wanted = wanted_of(layout);
  return {by_list(wanted, runtime), by_cores(wanted, machine_cores, runtime),
          by_kmp_affinity(wanted, runtime), by_likwid(wanted, machine_cores, runtime),
          by_numactl(wanted)};
}

}  // namespace nestbind::advice
