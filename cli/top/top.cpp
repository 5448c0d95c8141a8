// SPDX-License-Identifier: BSD-3-Clause
// nestbind top: shows on which processors threads run, while they run.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/common/asked_machine.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/say.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/subcommand.hpp"
#include "cli/top/published.hpp"
#include "cli/top/rows.hpp"
#include "cli/top/screen/screen_border.hpp"
#include "cli/top/view.hpp"
#include "cli/top/watched.hpp"
#include "memory/kernel/memory_nodes.hpp"

namespace nestbind::cli {

namespace {

struct TopOptions {
  std::vector<int> processes;
  double delay = 1;  // seconds between refreshes
  std::string sort = "share";
  bool once = false;
  std::string format = "text";  // with json, a line for each refresh
};

void print(const std::vector<top::Block>& blocks, bool as_json) {
  std::string text = as_json ? top::json_of(blocks) : "";
  if (!as_json) {
    for (const top::Block& block : blocks) {
      text += (text.empty() ? "" : "\n") + top::text_of(top::title_of(block)) +
              top::text_of(top::table_of(block));
    }
  }
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

// Shares of processor time need two samples.
int write_out(top::Watched& watched, const top::Host& host, top::Order order,
              const TopOptions& options, bool is_once) {
  top::Sample before = watched.look();
  while (true) {
    std::this_thread::sleep_for(std::chrono::duration<double>(options.delay));
    top::Sample now = watched.look();
    const std::vector<top::Block> blocks = blocks_of(&before, now, host, order);
    const bool is_json = options.format == "json";
    print(blocks, is_json);
    if (blocks.empty() && !is_json) {
      say("top: nestbind has bound none of your processes, and none is busy with several threads "
          "(processes with NESTBIND_PUBLISH=off do not show that they are bound)");
    }
    const bool has_ended = !options.processes.empty() &&
                           std::ranges::all_of(now.processes, &top::ProcessSample::has_ended);
    if (is_once || has_ended || std::ferror(stdout) != 0) {
      return kSuccess;
    }
    before = std::move(now);
  }
}

std::optional<machine::Hardware> read_own_machine(const std::string& library) try {
  return read_machine(library, "");
} catch (const machine::Unreadable& fault) {
  warn("no pictures are drawn: {}", fault.what());
  return std::nullopt;
}

int show(top::Watched& watched, const top::Host& host, top::Order order,
         const TopOptions& options) {
  const auto library = find_library("");
  if (!library) {
    return kFailure;
  }
  const std::string module = beside(*library, top::kScreenFile);
  if (access(module.c_str(), F_OK) != 0) {
    say("top: nestbind was built without ncurses (Debian: libncurses-dev), so there is no screen; "
        "nestbind top --once writes a table");
    return kFailure;
  }
  const std::string fault =
      top::show_interactively(watched, host, read_own_machine(*library),
                              {.module = module, .delay = options.delay, .order = order});
  if (!fault.empty()) {
    say("top: {}; nestbind top --once writes a table", fault);
  }
  return fault.empty() ? kSuccess : kFailure;
}

int top_command(const TopOptions& options) {
  const long ticks = sysconf(_SC_CLK_TCK);
  const top::Host host{.ticks_per_second = ticks,
                       .nodes = nestbind::memory::kernel::nodes().of_processor};
  const auto* sorted = std::ranges::find(top::kOrders, options.sort);
  const auto order = static_cast<top::Order>(std::distance(std::begin(top::kOrders), sorted));
  top::Watched watched(options.processes, top::folder_of_files(), ticks);
  if (const int missing = watched.first_missing(); missing != 0) {
    say("top: there is no process {}", missing);
    return kFailure;
  }
  const bool is_json = options.format == "json";
  const bool is_screen =
      !options.once && !is_json && isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1;
  if (is_screen) {
    return show(watched, host, order, options);
  }
  return write_out(watched, host, order, options, options.once || !is_json);
}

}  // namespace

void add_top(CLI::App& app, Call& call) {
  const auto options = std::make_shared<TopOptions>();
  CLI::App& command = *app.add_subcommand("top", "Watch where threads run");
  constexpr int kMostProcesses = 1 << 22;
  constexpr double kLeast = 0.1;
  constexpr double kMost = 3600;
  add_option(command, "PID", "", options->processes,
             "Processes to show; by default your processes that nestbind has bound, or that "
             "run several threads")
      ->check(within(1, kMostProcesses));
  add_option(command, "-d,--delay", "SECONDS", options->delay,
             "Seconds between two refreshes; by default 1")
      ->check(within(kLeast, kMost));
  add_option(command, "--sort", "KEY", options->sort,
             "By share (the busiest first, the default), path, processor or thread")
      ->check(one_of({std::begin(top::kOrders), std::end(top::kOrders)}));
  command.add_flag("--once", options->once, "Write one table to the standard output");
  add_format(command, options->format,
             "text, the default: a screen, or one table if there is no terminal; json: a line for "
             "each refresh, with --once one line");
  add_output(command, call);
  add_examples(command, {"nestbind top", "your bound and busy programs, until you press q"},
               {"nestbind top --once --format json -d 0.5 4711", "one process, for a script"});
  command.callback([&call, options] { call.status = top_command(*options); });
}

}  // namespace nestbind::cli
