// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: reads, shows and judges reports of a job's ranks. Zero bytes separate the reports in
// the input. The output must have no control characters, and its JSON must be valid.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "job/facts.hpp"
#include "job/job_findings.hpp"
#include "job/job_nodes.hpp"

namespace {

using namespace nestbind;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

bool has_shared_processor(const job::Job& job) {
  std::map<std::pair<std::string, int>, std::set<std::string>> ranks;
  for (const job::Rank& rank : job.ranks) {
    for (const job::Thread& thread : rank.threads) {
      for (const int cpu : thread.cpus) {
        if (ranks[{rank.node, cpu}].insert(job::name_of(rank)).second &&
            ranks[{rank.node, cpu}].size() > 1) {
          return true;
        }
      }
    }
  }
  return false;
}

std::size_t threads_on(const job::Job& job, const std::vector<job::Node>& nodes) {
  std::set<std::pair<int, job::Path>> seen;
  for (const job::Node& node : nodes) {
    for (const job::Group& group : node.groups) {
      for (const job::Processor& processor : group.processors) {
        for (const job::Cell& cell : processor.cells) {
          require(job.ranks[cell.rank].node == node.name, "a thread is on its rank's node");
          seen.insert({cell.rank, cell.path});
        }
      }
    }
    for (const job::Wide& wide : node.wide) {
      for (const job::Path& path : wide.paths) {
        seen.insert({wide.rank, path});
      }
    }
  }
  return seen.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  job::Job job;
  std::string_view left(reinterpret_cast<const char*>(data), size);
  int files = 0;
  while (true) {
    const std::size_t end = std::min(left.find('\0'), left.size());
    job::read_report(std::string(left.substr(0, end)), "file" + std::to_string(files++), job);
    if (end == left.size()) {
      break;
    }
    left.remove_prefix(end + 1);
  }
  job::sort_ranks(job);
  require(!job.ranks.empty() || !job.bad.empty(), "there is a rank, or a file with a fault");
  const auto nodes = job::nodes_of(job);
  const auto findings = job::findings_of(job, nodes);
  require(job::overlaps(findings) == has_shared_processor(job), "ranks that overlap are reported");
  std::set<std::pair<std::size_t, job::Path>> paths;
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
    for (const job::Thread& thread : job.ranks[rank].threads) {
      paths.insert({rank, thread.path});
    }
  }
  require(threads_on(job, nodes) == paths.size(), "every thread is shown");
  const job::Told told{job, nodes, findings};
  const show::Canvas plain{.columns = 80, .rows = 24, .has_colour = false, .is_utf8 = false};
  for (const bool all : {false, true}) {
    for (const char c : show::text_of(job::lines_of(told, plain, all), plain)) {
      require((c >= ' ' && c <= '~') || c == '\n', "text can be shown");
    }
  }
  require(!nlohmann::json::parse(job::json_of(told), nullptr, false).is_discarded(),
          "JSON is JSON");
  return 0;
}
