// SPDX-License-Identifier: BSD-3-Clause
#include "cli/examine_here.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "advice/suggest.hpp"
#include "cli/inspect/cgroup.hpp"
#include "cli/inspect/small_file.hpp"
#include "cli/inspect/text.hpp"
#include "cli/machine.hpp"
#include "cli/preload.hpp"
#include "cli/processors.hpp"
#include "mask/cpu_list.hpp"

namespace nestbind::cli {

namespace {

constexpr char kOnline[] = "/sys/devices/system/cpu/online";

std::vector<int> list_in(const std::string& text) {
  const auto words = inspect::split(text, " \n");
  return words.empty() ? std::vector<int>()
                       : mask::parse_list(words[0]).value_or(std::vector<int>());
}

// Who has taken what is missing.
std::string narrowed(const std::vector<int>& own, const std::vector<int>& online,
                     const inspect::Limits& limits) {
  std::vector<int> cpuset = list_in(limits.cpuset);
  std::erase_if(cpuset, [&](int cpu) { return !std::ranges::binary_search(online, cpu); });
  if (own.size() >= online.size()) {
    return "all of this machine";
  }
  const std::string of = fmt::format("{} of {}: ", own.size(), online.size());
  if (own == cpuset) {
    return of + "the cpuset " + limits.cpuset_group + " leaves no others";
  }
  return of + "the others were taken by taskset, a launcher or the queue system";
}

}  // namespace

void examine_processors(const std::string& process, const std::string& cpus, Findings& findings) {
  const std::vector<int> own = list_in(cpus);
  const std::vector<int> online = list_in(inspect::read_small_file(kOnline));
  const inspect::Limits limits = inspect::limits_of(process);
  if (!own.empty() && !online.empty()) {
    findings.fact("processors", cpus + ", " + narrowed(own, online, limits));
  }
  if (limits.quota > 0) {
    const bool binds = limits.quota < static_cast<double>(own.size());
    findings.fact(
        "quota",
        fmt::format("{:.2g} processors' worth of time by {}{}", limits.quota, limits.quota_group,
                    binds ? fmt::format("; more than {} threads wait for each other",
                                        std::max(1, static_cast<int>(limits.quota)))
                          : ""));
  }
}

void examine_here(const std::string& program, Findings& findings) {
  const auto own = own_processors();
  examine_processors("self", own ? mask::list(*own) : "", findings);
  advise_next(program, findings);
}

void advise_next(const std::string& program, Findings& findings) {
  const auto library = find_library("");
  if (!library) {
    return;
  }
  try {
    const machine::Topology topology = read_topology(*library, "", own_processors());
    const auto suggestions = advice::suggest(topology, {}, 0, machine::CoreChoice::kAuto);
    if (suggestions.empty()) {
      findings.fact("next", "nothing: one processor leaves no choice");
      return;
    }
    findings.fact("next", fmt::format("nestbind run --report {} -- {}   ({})", suggestions[0].text,
                                      program, suggestions[0].reason));
    findings.fact("next", "nestbind suggest YxZ   for a program with Y teams of Z threads");
  } catch (const machine::Unreadable& fault) {
    findings.fact("machine", fault.what());
  }
}

}  // namespace nestbind::cli
