// SPDX-License-Identifier: BSD-3-Clause
// The words of the command line, to the subcommand that they name (commands.cpp).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/message.hpp"
#include "cli/refused.hpp"

namespace nestbind::cli {

namespace {

int parse_and_do(Arguments arguments) {
  CLI::App app("Places the threads of nested OpenMP teams. See nestbind(1).", "nestbind");
  app.set_version_flag("--version", "nestbind " NESTBIND_VERSION);
  app.require_subcommand(1);
  if (is_misspelt(arguments.own, subcommand_names())) {
    return kUsage;
  }
  Call call{std::move(arguments.program)};
  add_subcommands(app, arguments.own.empty() ? "" : arguments.own[0], call);
  std::vector<std::string> words(arguments.own.rbegin(),
                                 arguments.own.rend());  // as CLI11 takes it
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      app.exit(error);
      return kSuccess;
    }
    say_refused(app, arguments.own, error);
    return kUsage;
  }
  return call.status;
}

int main_of(int argc, char** argv) {
  Arguments arguments = split(argc, argv);
  const bool prints = arguments.prints;
  int status = kFailure;
  try {
    status = parse_and_do(std::move(arguments));
  } catch (const std::exception& error) {
    say("{}", error.what());
  }
  if (prints && status != kSuccess) {
    // An eval of nothing succeeds, also under `set -e`: a job script would go on unbound.
    std::fputs("false\n", stdout);
  }
  return written(status);
}

}  // namespace

}  // namespace nestbind::cli

int main(int argc, char** argv) try {
  return nestbind::cli::main_of(argc, argv);
} catch (const std::exception& error) {
  nestbind::cli::say("{}", error.what());
  return nestbind::cli::kFailure;
}
