// SPDX-License-Identifier: BSD-3-Clause
// The words of nestbind balance.
#include <memory>

#include "cli/arguments.hpp"
#include "cli/balance.hpp"
#include "cli/commands.hpp"
#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/subcommand.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

int balance(BalanceOptions& options) {
  unshield(options.spec);
  options.spec = options.spec.empty() ? variable(options::kSpecification) : options.spec;
  if (options.file.empty()) {
    say("balance: which objects? nestbind balance [OPTIONS] FILE, with "
        "{{\"load\": [4, 1, 1, 2]}} in the file");
    return kUsage;
  }
  warn_of_unknown_variables();
  return complete(options.machine) ? balance_command(options) : kUsage;
}

}  // namespace

void add_balance(CLI::App& app, Call& call) {
  const auto options = std::make_shared<BalanceOptions>();
  const Subcommand command(app, "balance", "Find the slot for each object, by load and distance");
  command.argument(
      "FILE", options->file,
      "The objects, as JSON: {\"load\": [4, 1, 1, 2]}; with slots, homes and messages: "
      "nestbind-balance(1)");
  command.option("--spec", options->spec, "SPEC",
                 "The slots of this specification; by default OMP_NESTING_TEAM_SIZE, or a slot "
                 "for each core");
  add_machine_options(command, options->machine);
  command.option_of_words(
      "--algorithm", options->algorithm, {"numa", "greedy", "refine", "scotch", "metis"}, "WORD",
      "numa, the default: by load and distance; greedy, refine: by load; scotch, metis: by these "
      "libraries");
  command.option(
      "--alpha", options->alpha, "NUMBER",
      "What a message costs, in the unit of the loads, for numa; by default 5 % of all loads over "
      "all messages");
  command.option(
      "--tolerance", options->tolerance, "NUMBER",
      "By how much a slot may be heavier than greedy's heaviest, as a fraction, for refine; by "
      "default 0.001");
  command.flag("--json", options->json, "Write JSON, with the slot of each object");
  command.examples(
      {"nestbind balance objects.json", "who should move, on the machine at hand"},
      {"nestbind balance --algorithm refine --machine 'pack:2 [numa] core:2 pu:1' objects.json",
       "the same by load alone, on another machine"});
  command.does([&call, options] { call.status = balance(*options); });
}

}  // namespace nestbind::cli
