// SPDX-License-Identifier: BSD-3-Clause
// The findings of nestbind doctor, and the functions that look for them.
#pragma once

#include <optional>
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
  std::string ignored;  // the variables whose settings are ignored, as "A and B"

  // Makes the text printable: it may contain any names and values.
  void fact(std::string topic, const std::string& text) {
    lines.push_back({std::move(topic), printable(text)});
  }
  // A problem that keeps the program from being bound.
  void problem(const std::string& text) { printable_problem(printable(text)); }
  // The library ignores this setting of the variable. The program is bound in spite of that.
  void printable_ignored(std::string topic, const char* variable, std::string text) {
    lines.push_back({std::move(topic), std::move(text)});
    ignored += (ignored.empty() ? "" : " and ") + std::string(variable);
  }
  // A problem whose text is printable already. It may have several lines.
  void printable_problem(std::string text) {
    lines.push_back({"problem", std::move(text)});
    has_problem = true;
  }
};

// Prints the findings as "json", or as text with a column of topics. Returns the exit status.
int print(const Findings& findings, const std::string& format);

// Examines a running process without changing it. Returns the exit status.
int doctor_process(int process, const std::string& format);

// A variable's value; empty if it is not set.
std::string value_of(const Variables& variables, const std::string& name);

// Examines a process's variables. A bad value of one of nestbind's variables is a problem.
void examine_environment(const Variables& variables, Findings& findings);

// Says in which folder this machine's description is cached, or why it is not. Creates nothing.
void examine_cache(Findings& findings);

// Returns whether the library is there. asked: a file; empty: this command's own library.
// program_has_one: the program itself loads our library, so it can be bound without this library.
bool examine_library(const std::string& asked, bool program_has_one, Findings& findings);

// Says which processors the process may use, what restricts them, and the cgroup's quota. process:
// a number, or "self". cpus: the process's mask, as a list.
void examine_processors(const std::string& process, const std::string& cpus, Findings& findings);

// Says which processors this process has, and what to type next. program: as the user typed it.
void examine_here(const std::string& program, Findings& findings);
void advise_next(const std::string& program, Findings& findings);

// Says which loops of a program and its libraries can be scheduled. Call it only if forks are seen.
void examine_loops(const inspect::Facts& facts, Findings& findings);

// Lists other processes of this user (root: of all users) that publish threads on these processors.
// Leaves out ranks, which divide a node, and `process` (0: none).
void examine_others(const std::vector<int>& cpus, int process, Findings& findings);

// If root threads divide the machine, says where the threads of each root thread are.
void examine_roots(int process, Findings& findings);

// The processors of a process's bound threads, ascending. Empty if the process publishes nothing.
std::vector<int> placed_processors(int process);

}  // namespace nestbind::cli
