// SPDX-License-Identifier: BSD-3-Clause
// Artificial machines and ranks for tests.
#pragma once

#include <string>
#include <vector>

#include "job/facts.hpp"
#include "job/job_findings.hpp"
#include "job/job_nodes.hpp"

namespace made_up {

using namespace nestbind;

// A machine whose processors are numbered in order. Each package is a NUMA node.
inline std::vector<job::Core> machine(int packages, int cores, int threads = 1) {
  std::vector<job::Core> all;
  int cpu = 0;
  for (int core = 0; core < packages * cores; ++core) {
    job::Core& added = all.emplace_back();
    added = {.core = core, .package = core / cores, .numa = core / cores, .cpus = {}};
    for (int thread = 0; thread < threads; ++thread) {
      added.cpus.push_back(cpu++);
    }
  }
  return all;
}

inline job::Rank rank(int number, int outer, int inner, int first, const std::string& node = "n0") {
  job::Rank made;
  made.rank = std::to_string(number);
  made.process = 100 + number;
  made.host = made.node = node;
  made.file = "r" + made.rank;
  const std::string spec =
      std::to_string(outer) + ",scatter," + std::to_string(inner) + ",subcompact";
  made.teams.push_back({spec, {}, outer});
  for (int o = 0; o < outer; ++o) {
    made.teams.push_back({spec, {o}, inner});
    for (int i = 0; i < inner; ++i) {
      made.threads.push_back({{o, i}, {first + o * inner + i}});
    }
  }
  return made;
}

struct Looked {
  job::Job job;
  std::vector<job::Node> nodes = {};
  std::vector<job::Finding> findings = {};

  explicit Looked(job::Job given) : job(std::move(given)) {
    job::sort_ranks(job);
    nodes = job::nodes_of(job);
    findings = job::findings_of(job, nodes);
  }

  std::string text(bool all = false) const {
    const show::Canvas plain{.has_colour = false, .is_utf8 = false};
    return show::text_of(job::lines_of({job, nodes, findings}, plain, all), plain);
  }
  std::string json() const { return job::json_of({job, nodes, findings}); }

  // Returns each finding as "kind node: text".
  std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    for (const job::Finding& finding : findings) {
      all.push_back(std::string(job::kKinds[static_cast<int>(finding.kind)]) + " " +
                    (finding.node.empty() ? "" : finding.node + ": ") + finding.text);
    }
    return all;
  }
};

}  // namespace made_up
