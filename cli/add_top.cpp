// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind top.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/top.hpp"
#include "cli/top/rows.hpp"

namespace nestbind::cli {

void add_top(CLI::App& app, Call& call) {
  const auto options = std::make_shared<TopOptions>();
  CLI::App& command = *app.add_subcommand("top", "Watch who runs where, while it runs");
  constexpr int kMostProcesses = 1 << 22;
  constexpr double kLeast = 0.1;
  constexpr double kMost = 3600;
  command
      .add_option("PID", options->processes,
                  "Processes, whatever they are; by default all of yours that nestbind has bound, "
                  "and others that run with several threads")
      ->check(CLI::Range(1, kMostProcesses))
      ->type_name("");
  command.add_option("-d,--delay", options->delay, "Between two refreshes; by default 1")
      ->check(CLI::Range(kLeast, kMost))
      ->type_name("SECONDS");
  add_words(command, "--sort", options->sort, {std::begin(top::kOrders), std::end(top::kOrders)},
            "Threads by path, share, processor or thread; by default path", "KEY");
  command.add_flag("--once", options->once, "Write one table to the standard output");
  command.add_flag("--json", options->json,
                   "Write JSON there, a line for each refresh; with --once one");
  set_examples(command, {"nestbind top", "all programs of yours, until you press q"},
               {"nestbind top --once --json -d 0.5 4711", "one process, for a script"});
  command.callback([&call, options] { call.status = top_command(*options); });
}

}  // namespace nestbind::cli
