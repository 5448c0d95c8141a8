// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind job.
#include <memory>

#include "cli/commands.hpp"
#include "cli/job.hpp"
#include "cli/subcommand.hpp"

namespace nestbind::cli {

void add_job(CLI::App& app, Call& call) {
  const auto options = std::make_shared<JobOptions>();
  const Subcommand command(app, "job", "Show all ranks of a job, and what is wrong");
  command.arguments("FILES", options->files,
                    "The reports of its ranks, as NESTBIND_REPORT=json:NAME-%h-%r writes them");
  command.require("FILES");
  command.flag("--all", options->all, "Show what is alike, too, however long that is");
  command.flag("--json", options->json, "Write JSON");
  command.examples(
      {"nestbind job report-*", "the ranks that have run with --report=json:report-%h-%r"},
      {"nestbind job --json report-* | jq .findings", "what is wrong, for a script"});
  command.does([&call, options] { call.status = job_command(*options); });
}

}  // namespace nestbind::cli
