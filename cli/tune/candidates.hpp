// SPDX-License-Identifier: BSD-3-Clause
// The candidates: first layouts of a program's threads, then schedules of its loops. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nestbind::cli::tune {

struct Candidate {
  std::string name;      // its name in the ranking
  std::string spec;      // OMP_NESTING_TEAM_SIZE; empty if nestbind does not bind
  std::string schedule;  // NESTBIND_SCHEDULE; empty if none
  std::vector<std::pair<std::string, std::string>> variables;  // the runtime's own variables to set

  std::string rules = {};  // NESTBIND_RULES: a file with the specification for one region

  bool needs_library() const { return !spec.empty() || !schedule.empty() || !rules.empty(); }
};

inline constexpr char kUnbound[] = "unbound";

// A shape, and the specifications to try for it. Without sizes the program chooses its teams.
struct Shape {
  std::vector<int> sizes;
  std::vector<std::string> specs;  // canonical
};

// Returns the name of a shape: "4x4".
std::string name_of_shape(const std::vector<int>& sizes);

// Returns the layouts to try: the unbound program, and layouts for each shape. With the shape's
// sizes the program runs unbound, and bound by the runtime in two ways. It also runs bound by each
// specification. No layout comes twice.
std::vector<Candidate> layouts(const std::vector<Shape>& shapes);

// Returns the schedules to try: the program's, the runtime's, and hybrid schedules. One hybrid
// schedule is all automatic. The others have static fractions from 0 to 1, in steps of 1/8. Each
// fraction comes with each chunk of 1, 2, 4 to 128 iterations. V. Kale, H. Menon, K. Senthil,
// "Adaptive Loop Scheduling with Charm++", try these values. (At fraction 1 the chunk does not
// matter.) The last schedule is balanced, all automatic.
std::vector<Candidate> schedules(const Candidate& layout);

// Returns a line of POSIX shell with which a job script runs programs as this candidate does; or
// "". options: those of nestbind run, a blank after each ("--smt=2 "). cpus: to use; if empty, all.
std::string script_line(const Candidate& candidate, const std::string& options,
                        const std::string& cpus);

}  // namespace nestbind::cli::tune
