// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a job have reported (NESTBIND_REPORT=json), as data: who sat where, on which
// machine.
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

// A thread that leads an inner team comes once, by its path there (1.0, not 1); one that has been
// in several places, once for each.
struct Thread {
  Path path;
  Cpus cpus;             // where it may run; none: not known
  bool is_bound = true;  // false: in a team of one, by a thread that has not been in a larger one
  bool operator==(const Thread&) const = default;
};

// What a rank has of the processors that the ranks of a node share.
struct Part {
  int local = -1;    // its number on the node; -1: not told
  int of = 0;        // how many ranks the node has; 0: not told
  std::string by;    // whose word that is: "Open MPI"
  std::string kind;  // in a word
  std::string why;
  bool operator==(const Part&) const = default;
};

// A process of the job. Its texts are printable ASCII.
struct Rank {
  std::string file;             // that tells of it
  std::string host;             // by its own name
  std::string node;             // by the launcher's, where it tells one; otherwise the host
  long process = 0;             // its number there
  std::string rank;             // as the launcher has written it; empty: no launcher has
  std::optional<Part> part;     // none: nobody has told it that it is a rank
  std::optional<Cpus> allowed;  // what it could use
  std::vector<Core> cores;      // of its node; empty: not told
  std::vector<Core> seen;       // where its threads were, as far as they are on one core each
  std::vector<Team> teams;      // in the order of the report
  std::vector<Thread> threads;  // by path
};

// A file that tells less than it should.
struct BadFile {
  std::string file;
  std::string fault;  // "line 3: it is cut, or no JSON"
  bool operator==(const BadFile&) const = default;
};

struct Job {
  std::vector<Rank> ranks;  // by number, then those that have none
  std::vector<BadFile> bad;
};

// The rank as a number; -1: it is none.
int number_of(const Rank& rank);

// What it is called in cells and sentences: "3", or "p4711" by its process.
std::string name_of(const Rank& rank);

// Reads a report: an object on each line. Adds the processes that it tells of, and what is wrong
// with it, the first fault. A line that is damaged is left out; objects that tell of no team are
// passed over. `file`: its name, as it can be shown. Bounds: processors up to 2^20, thread numbers
// up to 2^20, paths of 32 numbers.
void read_report(const std::string& text, const std::string& file, Job& job);

// Once all are read: puts them in order.
void sort_ranks(Job& job);

}  // namespace nestbind::job
