// SPDX-License-Identifier: BSD-3-Clause
// A job as text and as JSON: the output of `nestbind job`.
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
