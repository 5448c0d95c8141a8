// SPDX-License-Identifier: BSD-3-Clause
#include "cli/job.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "cli/inspect/small_file.hpp"
#include "cli/message.hpp"
#include "cli/terminal.hpp"
#include "job/facts.hpp"
#include "job/findings.hpp"
#include "job/forms.hpp"
#include "job/nodes.hpp"

namespace nestbind::cli {

namespace {

bool is_there(const std::string& file) { return access(file.c_str(), F_OK) == 0; }

job::Job read_all(const std::vector<std::string>& files) {
  job::Job job;
  std::set<std::string> read;
  for (const std::string& file : files) {
    if (!read.insert(file).second) {
      continue;
    }
    std::string fault;
    const auto text = inspect::read_regular_file(file, fault);
    if (text) {
      job::read_report(*text, printable(file), job);
    } else {
      job.bad.push_back({printable(file), fault});
    }
  }
  job::sort_ranks(job);
  return job;
}

}  // namespace

int job_command(const JobOptions& options) {
  const job::Job job = read_all(options.files);
  const std::vector<job::Node> nodes = job::nodes_of(job);
  const std::vector<job::Finding> findings = job::findings_of(job, nodes);
  const job::Told told{job, nodes, findings};
  if (job.ranks.empty() && !options.json) {
    for (const job::BadFile& bad : job.bad) {
      say("{}: {}", bad.file, bad.fault);
    }
    if (std::ranges::none_of(options.files, is_there)) {
      remark(
          "each rank writes such a file: nestbind run --report=json:report-%h-%r SPEC -- program");
    }
    return kFailure;
  }
  const show::Canvas canvas = output_canvas();
  const std::string text = options.json
                               ? job::json_of(told)
                               : show::text_of(job::lines_of(told, canvas, options.all), canvas);
  std::fputs(text.c_str(), stdout);
  return job::overlaps(findings) || !job.bad.empty() ? kFailure : kSuccess;
}

}  // namespace nestbind::cli
