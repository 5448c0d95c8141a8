// SPDX-License-Identifier: BSD-3-Clause
// What the files of nestbind doctor give each other: findings, and who looks for them.
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
    std::string text;  // printable but for line breaks of our own
  };
  std::vector<Line> lines;
  bool has_problem = false;
  std::string ignored;  // the variables with such a setting: "A and B"

  // Of the text, names and values may be anything.
  void fact(std::string topic, const std::string& text) {
    lines.push_back({std::move(topic), printable(text)});
  }
  // Something because of which the program will not be bound.
  void problem(const std::string& text) { printable_problem(printable(text)); }
  // The library ignores this setting of the variable. Binding does not depend on it.
  void printable_ignored(std::string topic, const char* variable, std::string text) {
    lines.push_back({std::move(topic), std::move(text)});
    ignored += (ignored.empty() ? "" : " and ") + std::string(variable);
  }
  // The same in several lines.
  void printable_problem(std::string text) {
    lines.push_back({"problem", std::move(text)});
    has_problem = true;
  }
};

// Prints them: "json", or text, with a column of topics before the texts. Returns the exit status.
int print(const Findings& findings, const std::string& format);

// Of a running process. Nothing is done to it. Returns the exit status.
int doctor_process(int process, const std::string& format);

// A variable's value; empty if it is not set.
std::string value_of(const Variables& variables, const std::string& name);

// A process's variables. A bad value of nestbind's own is a problem.
void examine_environment(const Variables& variables, Findings& findings);

// Where the machine is kept for the next process, or why it is not. Makes nothing.
void examine_cache(Findings& findings);

// Returns whether there is one: the file that is asked for, or if empty this command's own. Without
// it no program is bound, except for one that loads such a library by itself.
bool examine_library(const std::string& asked, bool program_has_one, Findings& findings);

// The mask, who has narrowed it, and the time that the cgroup gives. process: a number, or "self";
// cpus: its mask, as a list.
void examine_processors(const std::string& process, const std::string& cpus, Findings& findings);

// The same of this process, and what to type next on this machine. program: as it is typed.
void examine_here(const std::string& program, Findings& findings);
void advise_next(const std::string& program, Findings& findings);

// Of a program whose forks are seen, and of its libraries.
void examine_loops(const inspect::Facts& facts, Findings& findings);

// The processes of this user (for root, of all users) that tell where their threads are placed
// (NESTBIND_PUBLISH), have some on these processors, ascending, and are no ranks of a job, which
// divide processors themselves. process: one that is left out; 0: none.
void examine_others(const std::vector<int>& cpus, int process, Findings& findings);

// Of a process whose root threads divide the machine: where each has threads, as it tells.
void examine_roots(int process, Findings& findings);

// The processors on which a process tells that its threads are placed, ascending; none where it
// does not tell.
std::vector<int> placed_processors(int process);

}  // namespace nestbind::cli
