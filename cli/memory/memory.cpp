// SPDX-License-Identifier: BSD-3-Clause
// nestbind memory: reports where the memory of a program is, at its end or while it runs.
#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/say.hpp"
#include "cli/common/starting.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/memory/watched_run.hpp"
#include "cli/subcommand.hpp"

namespace nestbind::cli {

namespace {

struct MemoryOptions {
  WatchedRun run;
  std::vector<std::string> program;
  std::string least;
  int process = 0;   // 0 if nestbind starts a program
  std::string scan;  // "fast", or empty
  std::string format = "text";
};

bool read_options(MemoryOptions& options) {
  nestbind::memory::Wish read;
  nestbind::memory::WishFault unused;
  // A "," would begin another option. A ":" would begin a file name.
  if (!options.least.empty() && (options.least.find_first_of(",:") != std::string::npos ||
                                 !parse("advise,min=" + options.least, read, unused))) {
    say("memory: --min {}: expected a size such as 64M, from 4K to 1024G", options.least);
    return false;
  }
  if (const std::string fault = fault_of_file_name(options.run.file); !fault.empty()) {
    say("memory: --output {}: {}", options.run.file, fault);
    return false;
  }
  options.run.least = read.least;
  options.run.is_json = options.format == "json";
  options.run.is_scanned_fast = !options.scan.empty();
  return true;
}

int check_and_do(const CLI::App& command, MemoryOptions& options, Call& call) {
  if (!take_program(command, call.behind_dashes, options.program) || !read_options(options)) {
    return kUsage;
  }
  if (options.process != 0 && !options.program.empty()) {
    say("memory: --pid watches a running process; with it, do not name a program");
    return kUsage;
  }
  if (is_turned_off(options::kMemoryOff)) {
    return kFailure;
  }
  if (options.process != 0) {
    return watch_running(options.run, options.process);
  }
  if (options.program.empty()) {
    say("memory: no program is given; expected nestbind memory [OPTIONS] -- program arguments, or "
        "--pid NUMBER");
    return kUsage;
  }
  warn_of_unknown_variables();
  return run_watched(options.run, options.program[0], [&] { return execute(options.program); });
}

}  // namespace

void add_memory(CLI::App& app, Call& call) {
  constexpr int kMostSeconds = 1000000;
  constexpr int kMostProcess = 1 << 30;
  const auto shared = std::make_shared<MemoryOptions>();
  MemoryOptions& options = *shared;
  CLI::App& command = *app.add_subcommand(
      "memory", "Run a program, and report which of its arrays are on the wrong NUMA nodes");
  command.formatter(
      help_format({"[OPTIONS] [--] PROGRAM [ARGUMENT...]", "[OPTIONS] --pid NUMBER"}));
  add_option(command, "--seconds", "N", options.run.seconds,
             "How long to watch; by default until the program ends")
      ->check(within(1, kMostSeconds));
  add_option(command, "--pid", "NUMBER", options.process,
             "Examine a running process: where its memory is, and with --seconds also which "
             "nodes use it")
      ->check(within(1, kMostProcess));
  add_option(command, "--scan", "fast", options.scan,
             "fast: the kernel notices sooner which threads use pages (only for root); by "
             "default the kernel's own settings")
      ->check(one_of({"fast"}));
  add_option(command, "--min", "SIZE", options.least,
             "Report regions of at least this size; by default 8M");
  add_format(command, options.format, "text (the default) or json, a line for each process");
  add_option(command, "--output", "FILE", options.run.file,
             "Write to this file (%h host, %p process, %r rank); by default to the standard "
             "error output, which the program also uses");
  command.prefix_command();
  add_examples(command, {"nestbind memory -- ./program", "a report when it ends"},
               {"nestbind memory --pid 4711 --seconds 5",
                "where the memory of a running process is, and which nodes use it"});
  command.callback(
      [&command, &call, shared] { call.status = check_and_do(command, *shared, call); });
}

}  // namespace nestbind::cli
