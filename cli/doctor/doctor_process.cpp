// SPDX-License-Identifier: BSD-3-Clause
// nestbind doctor --pid: examines a running process.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "cli/common/environment.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/say.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/inspect/running.hpp"
#include "cli/inspect/text.hpp"
#include "mask/cpu_list.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

using inspect::Running;
using inspect::RunningThread;

constexpr char kPlanner[] = "libnestbind-planner.so";

struct Loaded {
  std::vector<std::string> runtimes;
  bool has_nestbind = false;
  bool has_planner = false;
};

Loaded say_libraries(const Running& running, Findings& findings) {
  Loaded loaded;
  if (!running.libraries) {
    findings.fact("libraries", "cannot be read: the process is another user's, or protected");
    return loaded;
  }
  for (const std::string& file : *running.libraries) {
    const std::string_view name = inspect::file_name(file);
    if (name.starts_with(kLibraryFile)) {
      findings.fact("nestbind", file);
      loaded.has_nestbind = true;
    } else if (name.starts_with(kPlanner)) {
      loaded.has_planner = true;
    } else if (inspect::starts_with_any(name, {"libgomp", "libomp.", "libomp5", "libiomp5"})) {
      const bool is_gnu = name.starts_with("libgomp");
      const bool is_intel = name.starts_with("libiomp5");
      findings.fact("runtime", (is_gnu ? "GCC's, " : is_intel ? "Intel's, " : "LLVM's, ") + file);
      loaded.runtimes.push_back(file);
    }
  }
  return loaded;
}

std::vector<int> cpus_of(const std::string& list) {
  return mask::parse_list(list).value_or(std::vector<int>());
}

std::set<int> cpus_of(const Running& running) {
  std::set<int> all;
  for (const RunningThread& thread : running.threads) {
    const std::vector<int> cpus = cpus_of(thread.cpus);
    all.insert(cpus.begin(), cpus.end());
  }
  return all;
}

void say_threads(const Running& running, Findings& findings) {
  constexpr std::size_t kMost = 64;
  std::map<std::string, std::vector<const RunningThread*>> by_cpus;
  for (const RunningThread& thread : running.threads) {
    by_cpus[thread.cpus].push_back(&thread);
  }
  std::vector<std::pair<std::vector<int>, std::string>> lines;
  for (const auto& [cpus, threads] : by_cpus) {
    std::string text = fmt::format("on {}: {}", cpus, threads.size() == 1 ? "thread" : "threads");
    for (std::size_t i = 0; i < std::min<std::size_t>(threads.size(), 8); ++i) {
      text += fmt::format(" {}", threads[i]->number);
    }
    text += threads.size() > 8 ? fmt::format(" and {} more", threads.size() - 8) : "";
    text += fmt::format(" ({})", threads[0]->name);
    lines.emplace_back(cpus_of(cpus), text);
  }
  std::ranges::sort(lines);
  for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i) {
    findings.fact("threads", lines[i].second);
  }
  if (lines.size() > kMost) {
    findings.fact("threads", fmt::format("and {} more masks", lines.size() - kMost));
  }
}

std::string why_not_loaded(const Running& running) {
  if (!running.variables) {
    return "libnestbind.so is not loaded";
  }
  const std::string preload = value_of(*running.variables, "LD_PRELOAD");
  if (preload.find(kLibraryFile) != std::string::npos) {
    return "libnestbind.so is not loaded, although LD_PRELOAD names it: the program is static or "
           "privileged, or the file is missing (see nestbind doctor PROGRAM)";
  }
  return "libnestbind.so is not loaded, because the process was not started by nestbind run, and "
         "the program is not linked with the library; start it by nestbind run -- " +
         running.program;
}

std::size_t narrowed(const Running& running) {
  const std::size_t all = cpus_of(running).size();
  return static_cast<std::size_t>(std::ranges::count_if(
      running.threads,
      [&](const RunningThread& thread) { return cpus_of(thread.cpus).size() < all; }));
}

std::string verdict_of_plan(const Running& running) {
  const std::size_t own = narrowed(running);
  if (own > 0) {
    return fmt::format("bound: a plan is in force, {} of {} threads have a mask of their own", own,
                       running.threads.size());
  }
  return "not bound now: a plan is in force, but no thread has a mask of its own. The "
         "process has one processor, or the kernel refused the masks, or somebody has changed them "
         "(taskset -a); nestbind top shows the plan";
}

void judge(const Running& running, const Loaded& loaded, Findings& findings) {
  const std::string specification =
      value_of(running.variables.value_or(Variables()), options::kSpecification);
  if (!running.libraries) {
    findings.fact("verdict", fmt::format("{} of {} threads have a mask of their own",
                                         narrowed(running), running.threads.size()));
    return;
  }
  if (!loaded.has_nestbind) {
    findings.problem(why_not_loaded(running));
  }
  if (loaded.runtimes.empty()) {
    findings.problem(
        "no OpenMP runtime is loaded as a library: there are no teams, or the program "
        "contains its runtime");
  }
  if (findings.has_problem) {
    findings.fact("verdict", "nestbind does not bind this process");
  } else if (loaded.has_planner) {
    findings.fact("verdict", verdict_of_plan(running));
  } else if (specification.empty() && running.variables) {
    findings.fact(
        "verdict",
        "not bound: it was started without a specification, and has not set one since then");
  } else {
    findings.fact("verdict", "not bound yet: no team of two or more has been forked");
  }
}

}  // namespace

bool examine_process(int process, Findings& findings) {
  const Running running = inspect::look_at(process);
  if (running.threads.empty()) {
    say("doctor: there is no process {}", process);
    return false;
  }
  findings.fact("process",
                fmt::format("{}: {}", process,
                            running.program.empty() ? running.threads[0].name : running.program));
  const Loaded loaded = say_libraries(running, findings);
  const std::set<int> all = cpus_of(running);
  examine_processors(std::to_string(process), mask::list({all.begin(), all.end()}), findings);
  if (running.variables) {
    examine_environment(*running.variables, findings);
  } else {
    findings.fact("environment", "cannot be read: the process is another user's, or protected");
  }
  say_threads(running, findings);
  examine_process_part(process, findings);
  examine_roots(process, findings);
  examine_nesting(process, findings);
  examine_others(placed_processors(process), process, findings);
  judge(running, loaded, findings);
  return true;
}

}  // namespace nestbind::cli
