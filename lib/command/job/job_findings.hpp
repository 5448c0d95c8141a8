// SPDX-License-Identifier: BSD-3-Clause
// Errors of a job, and other facts worth knowing.
#pragma once

#include <string>
#include <vector>

#include "job/facts.hpp"
#include "job/job_nodes.hpp"
#include "show/line.hpp"

namespace nestbind::job {

enum class Kind {
  kOverlap,  // threads of two ranks may run on one processor of a node
  kCrowded,  // a rank has fewer processors than threads
  kUnbound,
  kIdle,     // a package without threads
  kDiffers,  // a rank differs from most others
  kMissing,  // ranks without a file
  kTwice,    // a rank with several processes
  kFile,     // a damaged or incomplete file
};
inline constexpr const char* kKinds[] = {"overlap", "crowded", "unbound", "idle",
                                         "differs", "missing", "twice",   "file"};

struct Finding {
  Kind kind;
  std::string node;  // empty for several nodes
  std::vector<std::string> ranks;
  Cpus cpus;
  std::string text;
  bool operator==(const Finding&) const = default;
};

// All findings, sorted by kind in the order above.
std::vector<Finding> findings_of(const Job& job, const std::vector<Node>& nodes);

bool overlaps(const std::vector<Finding>& findings);

// A job as text and as JSON: the output of `nestbind job`.

struct Told {
  const Job& job;
  const std::vector<Node>& nodes;
  const std::vector<Finding>& findings;
};

// The line of a processor has a cell for each thread, in the rank's colour: "3:1.0" is the thread
// 1.0 of rank 3. If `all` is false, a table with more than kLongTable lines is shortened: similar
// nodes or packages are drawn once.
inline constexpr std::size_t kLongTable = 60;
std::vector<show::Line> lines_of(const Told& told, const show::Canvas& canvas, bool all);

// Writes JSON for programs (job_json.cpp):
// {"ranks": [{"rank", "node", "host", "process", "file", "spec", "sizes", "threads", "cpus",
//             "allowed", "part"}],
//  "nodes": [{"node", "processors": [{"cpu", "core", "package", "numa",
//                                     "threads": [{"rank", "path"}]}],
//             "wide": [{"rank", "cpus", "paths"}]}],
//  "findings": [{"kind", "node", "ranks", "cpus", "text"}]}
// Unknown values are null.
std::string json_of(const Told& told);

}  // namespace nestbind::job
