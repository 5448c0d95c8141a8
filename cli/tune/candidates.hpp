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

// The first layout does not bind the program. Each shape adds an unbound program with the shape's
// sizes. Each shape adds two layouts with OMP_PROC_BIND, and one layout for each specification. No
// layout comes twice.
std::vector<Candidate> layouts(const std::vector<Shape>& shapes);

// The first schedule is the program's own. Three schedules are the runtime's (OMP_SCHEDULE). The
// first hybrid schedule chooses its fraction and its chunk itself. The other hybrid schedules have
// static fractions from 0 to 1 in steps of 1/8. For each fraction below 1, the chunks are powers of
// 2 from 1 to 128. The last schedule is "balanced".
//
// The fractions and chunks are from "Adaptive Loop Scheduling with Charm++" by V. Kale, H. Menon
// and K. Senthil.
//
// with_across: also some of these schedules, with each of four values of NESTBIND_BALANCE_ACROSS.
std::vector<Candidate> schedules(const Candidate& layout, bool with_across);

// Returns a line for a job script, in POSIX shell. After this line, programs run as this candidate
// does. The line is "" if the candidate needs no settings. In `options`, a blank follows each
// option ("--smt=2 "). If `cpus` is empty, programs may use all processors.
std::string script_line(const Candidate& candidate, const std::string& options,
                        const std::string& cpus);

}  // namespace nestbind::cli::tune
