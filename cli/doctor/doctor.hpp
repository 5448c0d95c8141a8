// SPDX-License-Identifier: BSD-3-Clause
// The findings of nestbind doctor, and the functions that look for them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/common/environment.hpp"
#include "cli/common/printable.hpp"
#include "cli/inspect/verdict.hpp"

namespace nestbind::cli {

struct Findings {
  struct Line {
    std::string topic;
    std::string text;  // printable, but may have line breaks
  };
  std::vector<Line> lines;
  bool has_problem = false;
  std::string ignored;

  // Makes the text printable, because it may contain any names and values.
  void fact(std::string topic, const std::string& text) {
    lines.push_back({std::move(topic), printable(text)});
  }
  void problem(const std::string& text) { printable_problem(printable(text)); }
  // Says that the library ignores this setting of the variable, and still binds the program.
  void printable_ignored(std::string topic, const char* variable, std::string text) {
    lines.push_back({std::move(topic), std::move(text)});
    ignored += (ignored.empty() ? "" : " and ") + std::string(variable);
  }
  void printable_problem(std::string text) {
    lines.push_back({"problem", std::move(text)});
    has_problem = true;
  }
};

// Examines a running process without changing it. Returns false if there is no such process.
bool examine_process(int process, Findings& findings);

std::string value_of(const Variables& variables, const std::string& name);

// A wrong value of one of nestbind's variables is a problem.
void examine_environment(const Variables& variables, Findings& findings);

// Says where this machine's description is cached. If the description cannot be cached, says why.
// Creates no folder.
void examine_cache(Findings& findings);

// Returns true if the library exists. If `program_has_one` is true, the program loads our library
// without a preload.
bool examine_library(const std::string& asked, bool program_has_one, Findings& findings);

// Says which processors a process may use, and what restricts the processors. `process` is a number
// or "self". `cpus` is the process's mask as a list.
void examine_processors(const std::string& process, const std::string& cpus, Findings& findings);

// Says which devices are beside the processors of this process, and whether all ranks of the node
// would use the first GPU, or this rank a distant one.
void examine_devices(Findings& findings);

void examine_here(const std::string& program, Findings& findings);
void advise_next(const std::string& program, Findings& findings);

// Lists this user's other processes with threads bound to these processors. For root, lists
// processes of all users. Ranks are left out, because ranks divide a node. `process` is left out,
// too; 0 means no process.
void examine_others(const std::vector<int>& cpus, int process, Findings& findings);

void examine_process_part(int process, Findings& findings);  // its tree, and who set its mask
void examine_roots(int process, Findings& findings);

// Says if the runtime has refused an inner region, because too few levels may be active.
void examine_nesting(int process, Findings& findings);

// Returns the processors of a process's bound threads in ascending order. The result is empty if
// the process publishes nothing.
std::vector<int> placed_processors(int process);

}  // namespace nestbind::cli
