// SPDX-License-Identifier: BSD-3-Clause
// The reports of a job's ranks (NESTBIND_REPORT=json) as data: threads' places, the machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nestbind::job {

using Path = std::vector<int>;  // thread numbers, from the outermost team on
using Cpus = std::vector<int>;  // the operating system's numbers, ascending

// A core of a node. Its numbers are the machine's own; -1: none.
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

// A primary thread of an inner team appears once, with its path in this team (1.0, not 1). A thread
// that was in several places appears once for each place.
struct Thread {
  Path path;
  Cpus cpus;             // where it may run; empty: not known
  bool is_bound = true;  // false: the thread was only in teams of one
  bool operator==(const Thread&) const = default;
};

// A rank's part of the processors that the ranks of a node share.
struct Part {
  int local = -1;    // the rank's number on the node; -1: not known
  int of = 0;        // number of the node's ranks; 0: not known
  std::string by;    // who has set the numbers: "Open MPI"
  std::string kind;  // the kind of part, in one word
  std::string why;
  bool operator==(const Part&) const = default;
};

// A process of the job. Its texts are printable ASCII.
struct Rank {
  std::string file;             // the report's file
  std::string host;             // the host's own name
  std::string node;             // the launcher's name for the host, or the host
  long process = 0;             // its number on the host
  std::string rank;             // as the launcher reports it; empty: there is no launcher
  std::optional<Part> part;     // none: perhaps the process is no rank
  std::optional<Cpus> allowed;  // the processors that the process could use
  std::vector<Core> cores;      // the cores of its node; empty: not known
  std::vector<Core> seen;       // the cores of threads that were on a single core
  std::vector<Team> teams;      // in the order of the report
  std::vector<Thread> threads;  // sorted by path
};

// A damaged or incomplete file.
struct BadFile {
  std::string file;
  std::string fault;  // "line 3: it is cut, or no JSON"
  bool operator==(const BadFile&) const = default;
};

struct Job {
  std::vector<Rank> ranks;  // sorted by number; ranks without a number are last
  std::vector<BadFile> bad;
};

// The rank's number; -1: it has none.
int number_of(const Rank& rank);

// The rank's name in cells and sentences: "3". Without a launcher, the process's number: "p4711".
std::string name_of(const Rank& rank);

// Reads a report, which has one JSON object on each line. Adds the report's processes and its first
// fault to `job`. Skips damaged lines, and objects without a team. file: a printable name. Limits:
// processors and thread numbers up to 2^20, paths of 32 numbers.
void read_report(const std::string& text, const std::string& file, Job& job);

// Call this after all reports were read.
void sort_ranks(Job& job);

}  // namespace nestbind::job
