// SPDX-License-Identifier: BSD-3-Clause
// The candidates: layouts of a program's threads, then schedules of its loops. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nestbind::cli::tune {

struct Candidate {
  std::string name;      // its name in the ranking
  std::string spec;      // OMP_NESTING_TEAM_SIZE; empty: nestbind binds nothing
  std::string schedule;  // NESTBIND_SCHEDULE; empty: none
  std::vector<std::pair<std::string, std::string>> variables;  // the runtime's own variables to set

  std::string rules = {};  // NESTBIND_RULES: a file that applies the specification to one region

  bool needs_library() const { return !spec.empty() || !schedule.empty() || !rules.empty(); }
};

inline constexpr char kUnbound[] = "unbound";

// A shape, and the specifications to try for it. No sizes: the program's own choice of teams.
struct Shape {
  std::vector<int> sizes;
  std::vector<std::string> specs;  // canonical
};

// A shape's name: "4x4".
std::string name_of_shape(const std::vector<int>& sizes);

// First the unbound program. Then for each shape: unbound with its sizes, bound by the runtime
// itself in two ways, and bound by each specification. Each candidate comes once.
std::vector<Candidate> layouts(const std::vector<Shape>& shapes);

// First the program's own schedules, then the runtime's; then hybrid ones, all automatic, and each
// static fraction from 0 to 1 in steps of 1/8 with each chunk of 1, 2, 4 to 128 iterations, as V.
// Kale, H. Menon, K. Senthil, "Adaptive Loop Scheduling with Charm++", find their best (at fraction
// 1 the chunk does not matter). Last: balanced, all automatic.
std::vector<Candidate> schedules(const Candidate& layout);

// A POSIX shell line for a job script, to run a program as this candidate; may be empty. options:
// of nestbind run, such as "--smt=2 ", each with a blank. cpus: for all candidates; empty: none.
std::string script_line(const Candidate& candidate, const std::string& options,
                        const std::string& cpus);

}  // namespace nestbind::cli::tune
