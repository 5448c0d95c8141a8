// SPDX-License-Identifier: BSD-3-Clause
// The user's request by the plugin's options of srun, sbatch or salloc, and the environment that a
// task of a job step gets for it. Pure.
#pragma once

#include <string>
#include <vector>

namespace nestbind::slurm {

struct Request {
  std::string specification;  // in canonical form; empty: none
  int levels = 0;             // number of levels; 0: no specification, or "off"
  std::string report;         // a value of NESTBIND_REPORT; empty: none
  bool is_strict = false;

  bool has_specification() const { return !specification.empty(); }
  bool binds() const { return levels > 0; }
};

// Each takes an option's value (--nestbind, --nestbind-report) or null. Returns an empty text, or
// what is wrong; then the request is unchanged. An empty specification counts as none. The message
// for a wrong one has three lines: the fault, the text, and a caret under it.
std::string take_specification(const char* text, Request& request);
std::string take_report(const char* value, Request& request);

// A shell (of sbatch's script, or salloc's on a node) only passes the specification on. It and its
// commands are not bound; what it starts with srun, mpirun or nestbind is.
enum class Whose { kProgram, kShell };

struct Variable {
  std::string name;
  std::string value;
  bool replaces = true;  // also replaces a value that the user has set
  bool operator==(const Variable&) const = default;
};

// The files and variables that the task finds on its node; empty: not known, or none.
struct Surroundings {
  std::string library;         // nestbind's library; empty: nothing is preloaded
  std::string preload;         // the user's LD_PRELOAD
  std::string working_folder;  // of the task
  std::string cache;           // the job's folder with the machine
};

// In the order in which to set them; empty: no specification was asked for.
std::vector<Variable> variables_for(const Request& request, Whose whose,
                                    const Surroundings& surroundings);

}  // namespace nestbind::slurm
