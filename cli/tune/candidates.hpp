// SPDX-License-Identifier: BSD-3-Clause
// The candidates: first layouts of a program's threads, then schedules of its loops.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nestbind::cli::tune {

struct Candidate {
  std::string name;
  std::string spec;      // OMP_NESTING_TEAM_SIZE; empty if nestbind does not bind
  std::string schedule;  // NESTBIND_SCHEDULE; empty if none
  std::vector<std::pair<std::string, std::string>> variables;

  std::string rules = {};  // NESTBIND_RULES: a file with the specification for one region

  bool needs_library() const { return !spec.empty() || !schedule.empty() || !rules.empty(); }
};

inline constexpr char kUnbound[] = "unbound";

// Without sizes the program chooses its teams.
struct Shape {
  std::vector<int> sizes;
  std::vector<std::string> specs;
};

std::string name_of_shape(const std::vector<int>& sizes);

// Returns the layouts to try: the unbound program, and layouts for each shape. With the shape's
// sizes the program runs unbound, and bound by the runtime in two ways. It also runs bound by each
// specification.
std::vector<Candidate> layouts(const std::vector<Shape>& shapes);

// Returns the schedules to try: the program's, the runtime's, and hybrid schedules. The first
// hybrid schedule chooses its fraction and its chunk itself. The others have static fractions from
// 0 to 1, in steps of 1/8. Each fraction comes with each chunk of 1, 2, 4 to 128 iterations. V.
// Kale, H. Menon, K. Senthil, "Adaptive Loop Scheduling with Charm++", try these values. (At
// fraction 1 the chunk does not matter.) The last schedule is "balanced".
std::vector<Candidate> schedules(const Candidate& layout);

// Returns a line of POSIX shell with which a job script runs programs as this candidate does; or
// "". options: those of nestbind run, a blank after each ("--smt=2 "). cpus: processors to use; if
// empty, all.
std::string script_line(const Candidate& candidate, const std::string& options,
                        const std::string& cpus);

}  // namespace nestbind::cli::tune
