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
#include "cli/help_format.hpp"
#include "cli/list_words.hpp"
#include "cli/message.hpp"
#include "cli/refused.hpp"

namespace nestbind::cli {

namespace {

std::string indented(std::string text) {
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    text.insert(at, "  ");
  }
  return text;
}

constexpr char kFirstSteps[] =
    "nestbind suggest 4x4                                      which specifications to try here\n"
    "nestbind plan 4,scatter,4,subcompact                      who would sit where\n"
    "nestbind run 4,scatter,4,subcompact -- ./program          the program, bound\n";

// What somebody who typed the name alone wants to know. Still a failure: nothing was done.
int say_how_to_begin() {
  fmt::print(
      "nestbind places the threads of nested OpenMP programs on the cores where they belong.\n"
      "Three commands to start with, for a program with four teams of four threads:\n\n{}\n"
      "nestbind --help lists all commands, nestbind COMMAND --help tells of one, with examples.\n",
      indented(kFirstSteps));
  return kUsage;
}

int parse_and_do(Arguments arguments) {
  CLI::App app("Places the threads of nested OpenMP teams. See nestbind(1).", "nestbind");
  app.formatter(help_format());
  app.set_version_flag("--version", "nestbind " NESTBIND_VERSION);
  app.require_subcommand(1);
  app.footer(std::string("To start with, for a program with four teams of four threads:\n") +
             indented(kFirstSteps));
  if (arguments.own.empty()) {
    return say_how_to_begin();
  }
  if (is_misspelt(arguments.own, subcommand_names())) {
    return kUsage;
  }
  Call call{std::move(arguments.program)};
  add_subcommands(app, arguments.own[0], call);
  if (arguments.own == std::vector<std::string>{"--list-words"}) {
    fmt::print("{}", list_of_words(app));
    return kSuccess;
  }
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
