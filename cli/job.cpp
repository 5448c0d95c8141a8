// SPDX-License-Identifier: BSD-3-Clause
// nestbind job: shows all ranks of a job, from their reports.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/common/output_files.hpp"
#include "cli/common/say.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/subcommand.hpp"
#include "job/facts.hpp"
#include "job/job_findings.hpp"
#include "job/job_nodes.hpp"
#include "support/user_file.hpp"

namespace nestbind::cli {

namespace {

struct JobOptions {
  std::vector<std::string> files;
  std::string format = "text";
  bool all = false;
  std::string color = "auto";
};

constexpr std::size_t kMostReport = std::size_t{16} << 20;

bool is_file_there(const std::string& file) { return access(file.c_str(), F_OK) == 0; }

job::Job read_all(const std::vector<std::string>& files) {
  job::Job job;
  std::set<std::string> read;
  for (const std::string& file : files) {
    if (!read.insert(file).second) {
      continue;
    }
    std::string text;
    const int error =
        support::read_user_file(file.c_str(), kMostReport, support::Streams::kRefused, text);
    if (error == 0) {
      job::read_report(text, printable(file), job);
    } else {
      job.bad.push_back({printable(file), support::why_unread(error)});
    }
  }
  job::sort_ranks(job);
  return job;
}

// Returns kFailure if ranks may share a processor, or a file is wrong.
int job_command(const JobOptions& options) {
  const job::Job job = read_all(options.files);
  const std::vector<job::Node> nodes = job::nodes_of(job);
  const std::vector<job::Finding> findings = job::findings_of(job, nodes);
  const job::Told told{job, nodes, findings};
  const bool is_json = options.format == "json";
  if (job.ranks.empty() && !is_json) {
    for (const job::BadFile& bad : job.bad) {
      say("{}: {}", bad.file, bad.fault);
    }
    if (std::ranges::none_of(options.files, is_file_there)) {
      remark(
          "each rank writes such a file: nestbind run --report=json:report-%h-%r SPEC -- program");
    }
    return kFailure;
  }
  const show::Canvas canvas = output_canvas(options.color);
  const std::string text = is_json
                               ? job::json_of(told)
                               : show::text_of(job::lines_of(told, canvas, options.all), canvas);
  std::fputs(text.c_str(), stdout);
  return job::overlaps(findings) || !job.bad.empty() ? kFailure : kSuccess;
}

}  // namespace

void add_job(CLI::App& app, Call& call) {
  const auto options = std::make_shared<JobOptions>();
  CLI::App& command = *app.add_subcommand("job", "Show all ranks of a job, and what is wrong");
  add_option(command, "FILES", "", options->files,
             "The reports of its ranks, as NESTBIND_REPORT=json:NAME-%h-%r writes them")
      ->required();
  command.add_flag("--all", options->all, "Also show nodes and ranks that are alike");
  add_format(command, options->format);
  add_color(command, options->color);
  add_output(command, call);
  add_examples(
      command, {"nestbind job report-*", "the ranks that have run with --report=json:report-%h-%r"},
      {"nestbind job --format json report-* | jq .findings", "what is wrong, for a script"});
  command.callback([&call, options] { call.status = job_command(*options); });
}

}  // namespace nestbind::cli
