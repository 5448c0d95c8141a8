// SPDX-License-Identifier: BSD-3-Clause
// The reports of a job's ranks (NESTBIND_REPORT=json) as data.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nestbind::job {

using Path = std::vector<int>;  // thread numbers, from the outermost team on
using Cpus = std::vector<int>;  // the operating system's numbers, ascending

// All numbers are the machine's own, or -1.
struct Core {
  int core = -1;
  int package = -1;
  int numa = -1;
  Cpus cpus;
  bool operator==(const Core&) const = default;
};

struct Team {
  std::string spec;
  Path primary;
  int size = 0;
  bool operator==(const Team&) const = default;
};

// A primary thread of an inner team appears once, with its path in the inner team (1.0, not 1).
struct Thread {
  Path path;
  Cpus cpus;             // processors on which the thread may run; empty if not known
  bool is_bound = true;  // false if the thread was only in teams of one
  bool operator==(const Thread&) const = default;
};

struct Part {
  int local = -1;  // the rank's number on the node, or -1
  int of = 0;      // number of the node's ranks, or 0
  std::string by;
  std::string kind;
  std::string why;
  bool operator==(const Part&) const = default;
};

// The texts are printable ASCII.
struct Rank {
  std::string file;
  std::string host;
  std::string node;  // from the launcher; may equal `host`
  long process = 0;
  std::string rank;                       // as the launcher reports it; may be empty
  std::optional<Part> part;               // none if the process may not be a rank
  std::vector<std::string> devices = {};  // names of the devices that nestbind run has given it
  std::optional<Cpus> allowed;
  std::vector<Core> cores;
  std::vector<Core> seen;
  std::vector<Team> teams;
  std::vector<Thread> threads;
};

struct BadFile {
  std::string file;
  std::string fault;
  bool operator==(const BadFile&) const = default;
};

struct Job {
  std::vector<Rank> ranks;  // sorted by number; ranks without a number are last
  std::vector<BadFile> bad;
};

// Returns the rank's number, or -1.
int number_of(const Rank& rank);

// If a process has no rank, its name is "p" and the process number, for example "p4711".
std::string name_of(const Rank& rank);

// Skips damaged lines, and objects without a team. Limits: processors and thread numbers up to
// 2^20, paths of 32 numbers.
void read_report(const std::string& text, const std::string& file, Job& job);

// Call this function after all reports were read.
void sort_ranks(Job& job);

// Descriptions of ranks in words.

// Distinct names in the order of their first appearance. A job may have 100,000 names.
class Names {
 public:
  void add(const std::string& name) {
    if (seen_.insert(name).second) {
      all_.push_back(name);
    }
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
  std::set<std::string> seen_;
};

// "1 thread", "4 threads".
std::string counted(std::size_t count, const char* what);

// "rank 3", "ranks 0-3,7 and p4711".
std::string in_words(const std::vector<std::string>& ranks);

// Returns the processors of all threads.
Cpus cpus_of(const Rank& rank);

// Returns the team sizes of a rank, level by level: "4x2", or "4x1/2" for inner teams of two sizes.
std::string sizes_of(const Rank& rank);

// Returns the rank's specifications, in the order of their first use: "4,scatter then 2,compact".
std::string specs_of(const Rank& rank);

}  // namespace nestbind::job
