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

int print(const Findings& findings, const std::string& format);

// Examines a running process without changing it.
int doctor_process(int process, const std::string& format);

std::string value_of(const Variables& variables, const std::string& name);

// A wrong value of one of nestbind's variables is a problem.
void examine_environment(const Variables& variables, Findings& findings);

// Says in which folder this machine's description is cached, or why it is not. Creates nothing.
void examine_cache(Findings& findings);

// Returns whether the library exists. program_has_one: the program loads our library itself, so the
// program needs no preload.
bool examine_library(const std::string& asked, bool program_has_one, Findings& findings);

// Says which processors a process may use, what restricts them, and the cgroup's quota. process: a
// number or "self". cpus: the process's mask as a list.
void examine_processors(const std::string& process, const std::string& cpus, Findings& findings);

void examine_here(const std::string& program, Findings& findings);
void advise_next(const std::string& program, Findings& findings);

// Says which loops of a program and its libraries can be shared. Call it only if forks are seen.
void examine_loops(const inspect::Facts& facts, Findings& findings);

// Lists other processes of this user (root: of all users) that publish threads on these processors.
// Leaves out `process` (if not 0), and ranks, because ranks divide a node.
void examine_others(const std::vector<int>& cpus, int process, Findings& findings);

// If root threads divide the machine, says where the threads of each root thread are.
void examine_roots(int process, Findings& findings);

// Returns the processors of a process's bound threads, ascending; empty if it publishes nothing.
std::vector<int> placed_processors(int process);

}  // namespace nestbind::cli
