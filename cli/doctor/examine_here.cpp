// SPDX-License-Identifier: BSD-3-Clause
// Examines this machine's processors, library and cache, and says what to try.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "advice/suggestions.hpp"
#include "cli/common/asked_machine.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/specification.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/inspect/running.hpp"
#include "cli/inspect/text.hpp"
#include "machine/cache/cache.hpp"
#include "mask/cpu_list.hpp"
#include "options/table.hpp"
#include "support/kernel_file.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::cli {

namespace {

constexpr char kOnline[] = "/sys/devices/system/cpu/online";

std::vector<int> list_in(const std::string& text) {
  const auto words = inspect::split(text, " \n");
  return words.empty() ? std::vector<int>()
                       : mask::parse_list(words[0]).value_or(std::vector<int>());
}

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
  const std::vector<int> online = list_in(support::kernel_text(kOnline));
  const inspect::Limits limits = inspect::limits_of(process);
  if (!own.empty() && !online.empty()) {
    findings.fact("processors", cpus + ", " + narrowed(own, online, limits));
  }
  if (limits.quota.time > 0) {
    const double processors = limits.quota.processors();
    const bool binds = processors < static_cast<double>(own.size());
    findings.fact(
        "quota",
        fmt::format("CPU time of {:.2g} processor{}, set by {}{}", processors,
                    processors == 1 ? "" : "s", limits.quota.folder,
                    binds ? fmt::format("; more threads than that wait for each other; {} {} "
                                        "(NESTBIND_QUOTA)",
                                        support::kWordsMakeAtMost, limits.quota.threads())
                          : ""));
  }
}

void examine_here(const std::string& program, Findings& findings) {
  const auto own = own_processors();
  examine_processors("self", own ? mask::list(*own) : "", findings);
  if (!findings.has_problem) {
    advise_next(program, findings);
  }
}

void advise_next(const std::string& program, Findings& findings) {
  const auto library = find_library("");
  if (!library) {
    return;
  }
  try {
    const machine::Topology topology = read_topology(*library, "", own_processors());
    auto suggestions =
        advice::suggest(topology, shape_of_variable(), 0, machine::CoreChoice::kAuto);
    if (suggestions.empty()) {
      suggestions = advice::suggest(topology, {}, 0, machine::CoreChoice::kAuto);
    }
    if (suggestions.empty()) {
      findings.fact("next", "nothing: there is one processor only");
      return;
    }
    findings.fact("next", fmt::format("nestbind run --report {} -- {}   ({})", suggestions[0].text,
                                      shell_word(program), suggestions[0].reason));
    findings.fact("next", "nestbind suggest YxZ   for a program with Y teams of Z threads");
  } catch (const machine::Unreadable& fault) {
    findings.fact("machine", fault.what());
  }
}

bool examine_library(const std::string& asked, bool program_has_one, Findings& findings) {
  const auto library = find_library(asked);
  const std::string missing =
      asked.empty() ? std::string(kLibraryFile) + " is not found" : asked + " cannot be preloaded";
  if (library) {
    findings.fact("library", *library);
  } else if (program_has_one) {
    findings.fact("library", missing +
                                 ": nestbind run does not start; the program loads a library by "
                                 "itself, so set OMP_NESTING_TEAM_SIZE");
  } else {
    findings.problem(missing);
  }
  return library.has_value();
}

void examine_cache(Findings& findings) {
  const std::string setting = inspect::variable("NESTBIND_CACHE");
  if (!setting.empty() && !fault_of(options::kTable[options::kCache].rule, setting).empty()) {
    return;  // examine_environment reports this problem
  }
  const std::string folder = setting.empty() ? inspect::variable("XDG_RUNTIME_DIR") : setting;
  if (setting == "off") {
    findings.fact("cache", "none: NESTBIND_CACHE=off; each process that forks reads the machine");
  } else if (folder.empty()) {
    findings.fact("cache",
                  "none: each process that forks reads the machine, which takes milliseconds. "
                  "XDG_RUNTIME_DIR is not set; NESTBIND_CACHE=FOLDER sets a folder for the "
                  "machine's description");
  } else if (!setting.empty() && access(folder.c_str(), F_OK) != 0) {
    findings.fact("cache", "the machine will be kept in " + folder +
                               "; the first process that forks makes this folder");
  } else if (!machine::cache::Folder::open(setting.empty() ? nullptr : setting.c_str())
                  .is_usable() ||
             !machine::cache::key_of_this_process("doctor")) {
    findings.fact("cache", "none: " + folder +
                               " is not yours alone, or a variable HWLOC_* is set; each process "
                               "that forks reads the machine");
  } else {
    findings.fact("cache", "the machine is kept in " + folder + " for the next process");
  }
}

}  // namespace nestbind::cli
