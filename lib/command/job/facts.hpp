// SPDX-License-Identifier: BSD-3-Clause
// The reports of a job's ranks (NESTBIND_REPORT=json) as data: threads' places, the machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nestbind::job {

using Path = std::vector<int>;  // thread numbers, from the outermost team on
using Cpus = std::vector<int>;  // the operating system's numbers, ascending

// A core of a node, by the machine's own numbers; -1: none.
struct Core {
  int core = -1;
  int package = -1;
  int numa = -1;
  Cpus cpus;
  bool operator==(const Core&) const = default;
};

struct Team {
  std::string spec;  // the specification in force
  Path primary;
  int size = 0;
  bool operator==(const Team&) const = default;
};

// A primary thread of an inner team appears once, by its path there (1.0, not 1). A thread that was
// in several places appears once for each.
struct Thread {
  Path path;
  Cpus cpus;             // where it may run; empty: not known
  bool is_bound = true;  // false: in a team of one, and never in a larger one
  bool operator==(const Thread&) const = default;
};

// A rank's part of the processors that the ranks of a node share.
struct Part {
  int local = -1;    // its number on the node; -1: not known
  int of = 0;        // number of the node's ranks; 0: not known
  std::string by;    // the source: "Open MPI"
  std::string kind;  // one word
  std::string why;
  bool operator==(const Part&) const = default;
};

// A process of the job. Its texts are printable ASCII.
struct Rank {
  std::string file;             // the report's file
  std::string host;             // by its own name
  std::string node;             // the launcher's name for the host, or the host
  long process = 0;             // its number on the host
  std::string rank;             // as the launcher reports it; empty: there is no launcher
  std::optional<Part> part;     // none: not known to be a rank
  std::optional<Cpus> allowed;  // the processors that it could use
  std::vector<Core> cores;      // of its node; empty: not known
  std::vector<Core> seen;       // cores of its threads that were on one core each
  std::vector<Team> teams;      // in the order of the report
  std::vector<Thread> threads;  // by path
};

// A damaged or incomplete file.
struct BadFile {
  std::string file;
  std::string fault;  // "line 3: it is cut, or no JSON"
  bool operator==(const BadFile&) const = default;
};

struct Job {
  std::vector<Rank> ranks;  // by number; then ranks without a number
  std::vector<BadFile> bad;
};

// The rank as a number; -1: it has none.
int number_of(const Rank& rank);

// Its name in cells and sentences: "3". Without a launcher, by the process's number: "p4711".
std::string name_of(const Rank& rank);

// Reads a report, with an object on each line. Adds the processes of the report, and its first
// fault. Skips damaged lines, and objects without a team. file: a printable name. Limits:
// processors and thread numbers up to 2^20, paths of 32 numbers.
void read_report(const std::string& text, const std::string& file, Job& job);

// To be called after all reports were read.
void sort_ranks(Job& job);

}  // namespace nestbind::job
