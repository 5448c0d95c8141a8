// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind top.
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/subcommand.hpp"
#include "cli/top.hpp"
#include "cli/top/rows.hpp"

namespace nestbind::cli {

void add_top(CLI::App& app, Call& call) {
  const auto options = std::make_shared<TopOptions>();
  const Subcommand command(app, "top", "Watch who runs where, while it runs");
  constexpr int kMostProcesses = 1 << 22;
  constexpr double kLeast = 0.1;
  constexpr double kMost = 3600;
  command.arguments(
      "PID", options->processes, {1, kMostProcesses},
      "Processes, whatever they are; by default all of yours that nestbind has bound, "
      "and others that run with several threads");
  command.option("-d,--delay", options->delay, {kLeast, kMost}, "SECONDS",
                 "Between two refreshes; by default 1");
  command.option_of_words("--sort", options->sort,
                          {std::begin(top::kOrders), std::end(top::kOrders)}, "KEY",
                          "Threads by path, share, processor or thread; by default path");
  command.flag("--once", options->once, "Write one table to the standard output");
  command.flag("--json", options->json,
               "Write JSON there, a line for each refresh; with --once one");
  command.examples({"nestbind top", "all programs of yours, until you press q"},
                   {"nestbind top --once --json -d 0.5 4711", "one process, for a script"});
  command.does([&call, options] { call.status = top_command(*options); });
}

}  // namespace nestbind::cli
