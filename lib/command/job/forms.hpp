// SPDX-License-Identifier: BSD-3-Clause
// A job as text and as JSON: what `nestbind job` prints.
#pragma once

#include <string>
#include <vector>

#include "job/facts.hpp"
#include "job/job_findings.hpp"
#include "job/job_nodes.hpp"
#include "show/line.hpp"

namespace nestbind::job {

struct Told {
  const Job& job;
  const std::vector<Node>& nodes;
  const std::vector<Finding>& findings;
};

// table.cpp: for people. A line on the job; each node with a line for each processor, and in it a
// cell for each thread, "3:1.0" for thread 0 of the team of thread 1 of rank 3, in the rank's
// colour; what has been found. Where that takes more than kLongTable lines, unless all of it is
// wanted, nodes and packages that are as the one before, but for one number that grows, are a line
// each, and so are processors in a row that nobody is on.
inline constexpr std::size_t kLongTable = 60;
std::vector<show::Line> lines_of(const Told& told, const show::Canvas& canvas, bool all);

// json.cpp: for programs.
// {"ranks": [{"rank", "node", "host", "process", "file", "spec", "sizes", "threads", "cpus",
//             "allowed", "part"}],
//  "nodes": [{"node", "processors": [{"cpu", "core", "package", "numa",
//                                     "threads": [{"rank", "path"}]}],
//             "wide": [{"rank", "cpus", "paths"}]}],
//  "findings": [{"kind", "node", "ranks", "cpus", "text"}]}
// What is not known is null.
std::string json_of(const Told& told);

}  // namespace nestbind::job
