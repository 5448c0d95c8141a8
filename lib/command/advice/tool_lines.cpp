// SPDX-License-Identifier: BSD-3-Clause
#include "advice/tool_lines.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "advice/explanation.hpp"
#include "mask/cpu_list.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::advice {

namespace {

const Equivalent& row_of(const std::vector<Equivalent>& rows, const char* tool) {
  return *std::ranges::find(rows, tool, &Equivalent::tool);
}

// No value in this line has a blank.
std::string exports(const std::string& line) {
  std::string text = "export ";
  for (const char c : line) {
    text += c == ' ' ? "\nexport " : std::string(1, c);
  }
  return text + "\n";
}

ToolLines by_places(const Equivalent& gnu, const Equivalent& llvm) {
  if (!gnu.is_equal && !llvm.is_equal) {
    return {"", "OMP_PLACES cannot: " + gnu.reason};
  }
  const bool is_one = gnu.is_equal != llvm.is_equal;
  return {exports(gnu.line),
          is_one ? fmt::format("only for {} runtime; {} runtime: {}",
                               gnu.is_equal ? "GCC's" : "LLVM's", gnu.is_equal ? "LLVM's" : "GCC's",
                               gnu.is_equal ? llvm.reason : gnu.reason)
                 : ""};
}

// A set of processors as hwloc(7) writes it: groups of 32 bits, the highest processors first.
std::string hwloc_set(const std::vector<int>& cpus) {
  constexpr int kBits = 32;
  std::vector<std::uint32_t> groups(std::ranges::max(cpus) / kBits + 1);
  for (const int cpu : cpus) {
    groups[cpu / kBits] |= std::uint32_t{1} << (cpu % kBits);
  }
  std::string text;
  for (std::size_t at = groups.size(); at-- > 0;) {
    text += fmt::format("{}0x{:08x}", text.empty() ? "" : ",", groups[at]);
  }
  return text;
}

// likwid-pin needs a processor for each member.
std::string likwid_line(const std::vector<std::vector<int>>& members) {
  std::vector<int> list;
  for (const std::vector<int>& cpus : members) {
    if (std::ranges::count(list, cpus[0]) > 0) {
      return "# likwid-pin uses a processor only once";
    }
    list.push_back(cpus[0]);
  }
  return fmt::format("likwid-pin -q -s 0x0 -c {} ./program", fmt::join(list, ","));
}

std::string team_line(const std::string& tool, const std::vector<std::vector<int>>& members) {
  if (tool == "likwid") {
    return likwid_line(members);
  }
  std::vector<int> all;
  for (const std::vector<int>& cpus : members) {
    all.insert(all.end(), cpus.begin(), cpus.end());
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return tool == "taskset" ? fmt::format("taskset --cpu-list {} ./program", mask::list(all))
                           : fmt::format("hwloc-bind {} -- ./program", hwloc_set(all));
}

std::string team_lines(const std::string& tool, const show::Layout& layout,
                       const std::string& reason) {
  const std::string name = tool == "likwid" ? "likwid-pin" : tool == "hwloc" ? "hwloc-bind" : tool;
  std::string text = fmt::format("# {} {}\n# a process for each team:\n", name, reason);
  for (const show::TeamRow& team : layout.levels.back().teams) {
    std::vector<std::vector<int>> members;
    members.reserve(team.slots.size());
    for (const int slot : team.slots) {
      members.push_back(layout.machine.slots[slot].cpus);
    }
    const bool is_initial = team.primary.empty();
    text +=
        fmt::format("{}  # team of {}{}\n", team_line(tool, members),
                    is_initial ? "the initial thread" : "thread ", fmt::join(team.primary, "."));
  }
  return text;
}

}  // namespace

ToolLines lines_for(const std::string& tool, const show::Layout& layout,
                    const std::vector<machine::Slot>& machine_cores) {
  const auto gnu = equivalents(layout, machine_cores, Runtime::kGnu);
  const auto llvm = equivalents(layout, machine_cores, Runtime::kLlvm);
  if (gnu.empty()) {
    return {"", support::kNothingBound};
  }
  if (tool == "places") {
    return by_places(row_of(gnu, "OMP_PLACES"), row_of(llvm, "OMP_PLACES"));
  }
  if (tool != "likwid") {
    return {team_lines(tool, layout, "has one mask for a process, in which its threads may move"),
            ""};
  }
  const Equivalent& likwid = row_of(gnu, "likwid-pin");
  if (likwid.line.empty()) {
    return {"", "likwid-pin " + likwid.reason};
  }
  return {likwid.is_equal ? likwid.line + "\n" : team_lines(tool, layout, likwid.reason), ""};
}

}  // namespace nestbind::advice
