// SPDX-License-Identifier: BSD-3-Clause
// What the user of srun, sbatch or salloc asks for by the plugin's options, and what a task of a
// job step gets into its environment for that. Pure.
#pragma once

#include <string>
#include <vector>

namespace nestbind::slurm {

struct Request {
  std::string specification;  // in canonical form; empty: none
  int levels = 0;             // of it; 0: none, or "off"
  std::string report;         // a value of NESTBIND_REPORT; empty: none
  bool is_strict = false;

  bool has_specification() const { return !specification.empty(); }
  bool binds() const { return levels > 0; }
};

// Each takes the value of an option, of --nestbind and of --nestbind-report, as Slurm hands it over
// (null: without one). Returns an empty text, or what is wrong with the value, and the request is
// as it was. An empty specification is none. The message of a bad one has three lines: the fault,
// the text, and a caret under it.
std::string take_specification(const char* text, Request& request);
std::string take_report(const char* value, Request& request);

// A shell (of sbatch's script, or salloc's on a node) only hands on: it gets the specification, and
// what it starts with srun, mpirun or nestbind is bound, not itself and not its commands.
enum class Whose { kProgram, kShell };

struct Variable {
  std::string name;
  std::string value;
  bool replaces = true;  // a value that the user has set
  bool operator==(const Variable&) const = default;
};

// What is where the task runs; empty: unknown, or none.
struct Surroundings {
  std::string library;         // nestbind's; without it nothing is preloaded
  std::string preload;         // LD_PRELOAD as the user has set it
  std::string working_folder;  // the task's
  std::string cache;           // the folder of the job where the machine is kept
};

// In the order in which they are to be set; none where no specification was asked for.
std::vector<Variable> variables_for(const Request& request, Whose whose,
                                    const Surroundings& surroundings);

}  // namespace nestbind::slurm
