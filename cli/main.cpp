// SPDX-License-Identifier: BSD-3-Clause
// Starts the subcommand that the command line names.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/say.hpp"
#include "cli/subcommand.hpp"

namespace nestbind::cli {

namespace {

constexpr char kRun[] = "Run a program";
constexpr char kSee[] = "See where threads would be";
constexpr char kMeasure[] = "Measure";

constexpr struct {
  const char* name;
  const char* group;
  void (*add)(CLI::App& app, Call& call);
} kSubcommands[] = {
    {"run", kRun, add_run},           {"doctor", kRun, add_doctor},
    {"rules", kRun, add_rules},       {"plan", kSee, add_plan},
    {"explain", kSee, add_explain},   {"suggest", kSee, add_suggest},
    {"topology", kSee, add_topology}, {"map", kSee, add_map},
    {"balance", kSee, add_balance},   {"top", kMeasure, add_top},
    {"tune", kMeasure, add_tune},     {"memory", kMeasure, add_memory},
    {"probe", kMeasure, add_probe},   {"trace", kMeasure, add_trace},
    {"lines", kMeasure, add_lines},   {"job", kMeasure, add_job},
};

std::vector<std::string> subcommand_names() {
  std::vector<std::string> names;
  for (const auto& one : kSubcommands) {
    names.emplace_back(one.name);
  }
  return names;
}

// `run` must start fast. So this adds only the subcommand that the first word names. If the first
// word names no subcommand, adds all.
void add_subcommands(CLI::App& app, const std::string& first_word, Call& call) {
  const auto names = subcommand_names();
  const bool is_one = std::ranges::find(names, first_word) != names.end();
  for (const auto& [name, group, add] : kSubcommands) {
    if (!is_one || first_word == name) {
      add(app, call);
      app.get_subcommand(name)->group(group);
    }
  }
}

constexpr char kFirstSteps[] =
    "  nestbind suggest 4x4                               which specifications to try\n"
    "  nestbind plan 4,scatter,4,subcompact               where threads would be\n"
    "  nestbind run 4,scatter,4,subcompact -- ./program   the program, bound\n";

// Returns a failure: nothing was done.
int say_how_to_begin() {
  fmt::print(
      "nestbind places the threads of nested OpenMP programs where they belong.\n"
      "Three commands to start with, for a program with four teams of four threads:\n\n{}\n"
      "nestbind --help lists all commands, nestbind COMMAND --help describes one.\n",
      kFirstSteps);
  return kUsage;
}

void as_options(std::vector<std::string>& words) {
  if (words[0] == "version") {
    words[0] = "--version";
  } else if (words[0] == "help") {
    words.push_back("--help");
    const bool is_of_itself = words[1] == "help" || words[1] == "version";
    words.erase(words.begin(), words.begin() + (is_of_itself ? 2 : 1));
  }
}

int parse_and_do(Arguments arguments) {
  CLI::App app("Places the threads of nested OpenMP teams. See nestbind(1).", "nestbind");
  app.formatter(help_format());
  app.set_version_flag("--version", "nestbind " NESTBIND_VERSION);
  app.require_subcommand(1);
  app.footer(std::string("To start with, for a program with four teams of four threads:\n") +
             kFirstSteps);
  if (arguments.own.empty()) {
    return say_how_to_begin();
  }
  as_options(arguments.own);
  if (is_misspelt(arguments.own, subcommand_names())) {
    return kUsage;
  }
  take_site();
  Call call;
  call.behind_dashes = std::move(arguments.program);
  add_subcommands(app, arguments.own[0], call);
  if (arguments.own == std::vector<std::string>{"--list-words"}) {
    fmt::print("{}", list_of_words(app));
    return kSuccess;
  }
  app.parse_complete_callback([&call, &arguments] {
    if (!call.output.empty()) {
      redirect_output(call.output, arguments.own[0] == "plan");
    }
  });
  // CLI11 needs the words in reverse order.
  std::vector<std::string> words(arguments.own.rbegin(), arguments.own.rend());
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
  const char* const on_failure = arguments.on_failure;
  int status = kFailure;
  try {
    status = parse_and_do(std::move(arguments));
  } catch (const std::exception& error) {
    say("{}", error.what());
  }
  if (on_failure != nullptr && status != kSuccess) {
    // A job script uses `eval`. `eval ""` succeeds, even under `set -e`, but `eval false` fails.
    std::fputs(on_failure, stdout);
  }
  return close_output(status);
}

}  // namespace

}  // namespace nestbind::cli

int main(int argc, char** argv) try {
  return nestbind::cli::main_of(argc, argv);
} catch (const std::exception& error) {
  nestbind::cli::say("{}", error.what());
  return nestbind::cli::kFailure;
}
