// SPDX-License-Identifier: BSD-3-Clause
// Errors of a job, and other facts worth knowing.
#pragma once

#include <string>
#include <vector>

#include "job/facts.hpp"
#include "job/job_nodes.hpp"

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

}  // namespace nestbind::job
