// SPDX-License-Identifier: BSD-3-Clause
// What is tried: layouts of a program's threads, and then schedules of its loops. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nestbind::cli::tune {

struct Candidate {
  std::string name;      // as the ranking has it
  std::string spec;      // OMP_NESTING_TEAM_SIZE; empty: nothing is bound by nestbind
  std::string schedule;  // NESTBIND_SCHEDULE; empty: none
  std::vector<std::pair<std::string, std::string>> variables;  // the runtime's own, to be set

  std::string rules = {};  // NESTBIND_RULES: a file by which one region has the specification

  bool needs_library() const { return !spec.empty() || !schedule.empty() || !rules.empty(); }
};

inline constexpr char kUnbound[] = "unbound";

// A shape (of no size: whatever the program makes of its environment), and the specifications to be
// tried for it.
struct Shape {
  std::vector<int> sizes;
  std::vector<std::string> specs;  // canonical
};

// "4x4", as a shape is named.
std::string name_of_shape(const std::vector<int>& sizes);

// Unbound first; then, for each shape, unbound with its sizes, bound by the runtime itself in two
// ways, and its specifications. None comes twice.
std::vector<Candidate> layouts(const std::vector<Shape>& shapes);

// A layout with the program's own schedules first; then with schedules of the runtime's, and with
// hybrid ones: all automatic, and each static fraction from 0 to 1 by 1/8 with each chunk of 1, 2,
// 4 to 128 iterations. (V. Kale, H. Menon, K. Senthil, "Adaptive Loop Scheduling with Charm++",
// find their best so. All of a loop is static with 1, and the chunk does not matter.) At last
// balanced, all automatic.
std::vector<Candidate> schedules(const Candidate& layout);

// What a job script needs so that a program runs as this candidate did: a line of a POSIX shell;
// empty where it needs nothing. options: those of nestbind run that hold for all, such as
// "--smt=2 ", each followed by a blank. cpus: to which all were confined; empty: none.
std::string script_line(const Candidate& candidate, const std::string& options,
                        const std::string& cpus);

}  // namespace nestbind::cli::tune
