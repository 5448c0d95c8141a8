// SPDX-License-Identifier: BSD-3-Clause
// nestbind trace: prints a trace of the library (NESTBIND_TRACE) in words.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "cli/common/say.hpp"
#include "cli/subcommand.hpp"
#include "process/traced.hpp"

namespace nestbind::cli {

namespace {

struct TraceOptions {
  std::string file;
};

using process::Traced;

// The words for omp::Source and omp::Why, in their order.
constexpr const char* kSources[] = {"GOMP", "OMPT", "POMP"};
constexpr const char* kWhy[] = {
    "the runtime's functions cannot be reached",
    "another source has reported the region",
    "all forks come through GCC's entries",
    "LLVM's and Intel's runtimes report by their tool interface",
    "GCC's runtime has no tool interface",
    "no other source reports this runtime",
};

template <std::size_t kCount>
const char* word(const char* const (&words)[kCount], long number) {
  return number >= 0 && number < static_cast<long>(kCount) ? words[number] : "?";
}

struct Event {
  char time[32];
  long thread;
  int kind;
  long numbers[3];
  std::string text;
};

bool read_event(const std::string& line, Event& event) {
  int used = 0;
  if (std::sscanf(line.c_str(), "%31s %ld %d %ld %ld %ld %n", event.time, &event.thread,
                  &event.kind, &event.numbers[0], &event.numbers[1], &event.numbers[2],
                  &used) != 6) {
    return false;
  }
  event.text = line.substr(used);
  return true;
}

std::string event_in_words(const Event& event) {
  const auto [a, b, c] = event.numbers;
  switch (static_cast<Traced>(event.kind)) {
    case Traced::kBegins:
      return fmt::format("process {} begins with {}", a, event.text);
    case Traced::kActs:
      return fmt::format("{} acts: {}", word(kSources, a), word(kWhy, b));
    case Traced::kStandsBack:
      return fmt::format("{} stands back: {}", word(kSources, a), word(kWhy, b));
    case Traced::kRuntime:
      return fmt::format("an OpenMP runtime has started: {}",
                         event.text.empty() ? "the program's own" : event.text);
    case Traced::kFork:
      return b == 0 ? fmt::format("forks a team of level {}", a)
                    : fmt::format("forks a team of level {} at {:#x}", a, b);
    case Traced::kPlaced: {
      const std::size_t blank = event.text.find(' ');
      return fmt::format("member {} is thread {}, on processors {}", event.text.substr(0, blank), a,
                         blank == std::string::npos ? "?" : event.text.substr(blank + 1));
    }
    case Traced::kLeft:
      return fmt::format("member {} leaves level {}", b, a);
    case Traced::kRefused:
      return fmt::format("the system refuses to bind member {} of level {}", b, a);
    case Traced::kRegion:
      return fmt::format("the region at {:#x} is {}+{:#x}", a, event.text, b);
    case Traced::kPlacesFull:
      return fmt::format(
          "all places need {} bytes: from now on, further teams are planned at each fork", a);
  }
  return fmt::format("event {}: {} {} {} {}", event.kind, a, b, c, event.text);
}

// If the first line is no event, the file is no trace. The last line may be cut.
int trace_command(const TraceOptions& options) {
  std::ifstream file(options.file);
  if (!file) {
    say("{}: {}", options.file, std::strerror(errno));
    return kFailure;
  }
  bool is_good = true;
  std::string line;
  for (long number = 1; file.peek() != '\0' && std::getline(file, line); ++number) {
    Event event;
    if (!read_event(line, event)) {
      if (number == 1) {
        say("{}: not a trace; NESTBIND_TRACE=FILE writes a trace", options.file);
        return kFailure;
      }
      say("{}: line {} is not of a trace", options.file, number);
      is_good = false;
      continue;
    }
    fmt::print("{:>14} {:>8}  {}\n", printable(event.time), event.thread,
               printable(event_in_words(event)));
  }
  if (file.bad() || !file.eof()) {
    say("{}: cannot be read as a text", options.file);
    return kFailure;
  }
  return is_good ? kSuccess : kFailure;
}

}  // namespace

void add_trace(CLI::App& app, Call& call) {
  const auto options = std::make_shared<TraceOptions>();
  CLI::App& command = *app.add_subcommand("trace", "Show a trace (NESTBIND_TRACE) as text");
  add_option(command, "FILE", "", options->file, "The trace")->required();
  add_examples(command,
               {"nestbind trace /tmp/program.trace", "each fork, with the address of its region"},
               {"nestbind trace trace.4711 | grep -c 'forks a team'", "how many forks there were"});
  command.callback([&call, options] { call.status = trace_command(*options); });
}

}  // namespace nestbind::cli
