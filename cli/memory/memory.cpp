// SPDX-License-Identifier: BSD-3-Clause
// nestbind memory: starts a program, and tells at its end where its memory is and who uses it; or
// asks one that runs.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/common/starting.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/verdict.hpp"
#include "cli/memory/memory_parts.hpp"
#include "cli/source/source_lines.hpp"
#include "cli/subcommand.hpp"
#include "memory/wish/wish.hpp"

namespace nestbind::cli {

namespace {

using memory::Json;

struct MemoryOptions {
  std::vector<std::string> program;  // and its arguments
  std::string least;                 // regions that are told of, such as 64M; empty: as usual
  int process = 0;                   // one that runs, in place of a program; 0: none
  int seconds = 0;                   // watch so long only; 0: to the end
  std::string format = "text";
  bool json = false;
  std::string output;   // a file; empty: the standard error output
  std::string library;  // empty: the one of this command
};

// The files in a folder, those that were begun first in front.
std::vector<std::string> files_in(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::pair<std::filesystem::file_time_type, std::string>> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    found.emplace_back(entry.last_write_time(ignored), entry.path().string());
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  names.reserve(found.size());
  for (auto& [time, name] : found) {
    names.push_back(std::move(name));
  }
  return names;
}

// The words of the variable; empty, with a message, where the options are none.
std::string words_of(const MemoryOptions& options) {
  std::string words = "advise,json" + (options.least.empty() ? "" : ",min=" + options.least) +
                      (options.seconds == 0 ? "" : ",seconds=" + std::to_string(options.seconds));
  // What begins another option, or names a file, is no size.
  const bool is_one_word = options.least.find_first_of(",:") == std::string::npos;
  if (!is_one_word || !fault_of(options::kTable[options::kMemory].rule, words).empty()) {
    say("memory: --min {}: expected a size such as 64M, from 4K to 1024G", options.least);
    return "";
  }
  return words;
}

// Its value; empty, with a message, likewise.
std::string wish_of(const MemoryOptions& options, const std::string& folder) {
  const std::string words = words_of(options);
  if (words.empty()) {
    return "";
  }
  // A per cent sign of the folder is none of ours.
  std::string name = folder;
  for (std::size_t at = name.find('%'); at != std::string::npos; at = name.find('%', at + 2)) {
    name.insert(at, "%");
  }
  return words + ":" + name + "/%h-%p";
}

class Reports {
 public:
  // The processes that had something to tell.
  std::string read(const std::string& folder, bool as_json) {
    std::string text;
    for (const std::string& name : files_in(folder)) {
      std::ifstream file(name);
      const std::string one = complete(Json::parse(file, nullptr, false), as_json);
      text += text.empty() || one.empty() || as_json ? "" : "\n";
      text += one;
    }
    return text;
  }

  // Of one process; empty where it had nothing to tell.
  std::string complete(Json told, bool as_json) {
    if (told.is_discarded() ||
        !memory::complete(told, [this](const source::Place& place) { return frames_of(place); })) {
      return "";
    }
    return as_json ? told.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"
                   : printable_lines(memory::in_words(told));
  }

 private:
  static std::string printable_lines(const std::string& text) {
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      shown += printable(text.substr(at, end - at)) + "\n";
      at = end + 1;
    }
    return shown;
  }

  std::vector<source::Frame> frames_of(const source::Place& place) {
    source::Found found = lines_.find(place);
    if (!found.fault.empty()) {
      remark("{}: {}", place.module, found.fault);
    }
    return std::move(found.frames);
  }

  source::Lines lines_;
};

// Of a process in which nothing watches: where its memory is; empty, with a message, where the
// kernel does not tell.
std::string unwatched(const MemoryOptions& options, const std::string& words) {
  nestbind::memory::Wish wish;
  nestbind::memory::WishFault fault;
  nestbind::memory::parse(words.c_str(), wish, fault);
  const auto mappings = memory::mapped_in(options.process, wish.least);
  if (!mappings) {
    say("memory: process {}: {}", options.process,
        errno == ENOENT
            ? "there is no such process"
            : "it is another user's, or protected: " + std::string(std::strerror(errno)));
    return "";
  }
  return options.json ? memory::as_json(options.process, *mappings)
                      : memory::in_words(options.process, *mappings);
}

// Where the report goes: opened before the program runs, so that it does not run in vain.
class Output {
 public:
  // otherwise: where it goes without a name.
  Output(const std::string& name, std::FILE* otherwise)
      : name_(name),
        otherwise_(otherwise),
        file_(name.empty() ? otherwise : std::fopen(name.c_str(), "we")) {
    if (file_ == nullptr) {
      tell_fault();
    }
  }
  ~Output() {
    if (file_ != nullptr && file_ != otherwise_) {
      std::fclose(file_);
    }
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool is_open() const { return file_ != nullptr; }

  // A fault is told, and no more: the exit status is the program's.
  bool write(const std::string& text) {
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file_) == text.size();
    const bool is_done = std::fflush(file_) == 0 && is_written;
    if (!is_done && file_ != stderr) {
      tell_fault();
    }
    return is_done;
  }

 private:
  void tell_fault() const {
    say("memory: {}{}: {}", name_.empty() ? "standard output" : "--output ", name_,
        std::strerror(errno));
  }

  std::string name_;
  std::FILE* const otherwise_;
  std::FILE* file_;
};

memory::Ended watch(const MemoryOptions& options, const std::string& wish,
                    const std::string& library) {
  Binding binding;
  binding.library = library;
  binding.values[options::kMemory] = wish;
  if (const auto path = inspect::find_program(options.program[0])) {
    binding.sanitizer =
        needed_sanitizer(inspect::facts_of(*path, inspect::Depth::kQuick).file.needed);
  }
  set_variables(binding);
  return memory::run_child([&] { return execute(options.program); });
}

// The program has run.
void tell(const MemoryOptions& options, const memory::Ended& ended, const TemporaryFolder& folder,
          Output& output) {
  std::signal(SIGPIPE, SIG_IGN);  // whoever reads this may have gone
  std::signal(SIGXFSZ, SIG_IGN);  // or the file may not grow

  const std::string text = Reports().read(folder.path(), options.json);
  if (text.empty()) {
    const std::string least = options.least.empty() ? "8M" : options.least;
    remark(
        "memory: nothing to tell of: no process of {} had {} in one region (--min SIZE tells of "
        "smaller ones); one that is linked statically, is setuid, or ends {}, tells nothing",
        options.program[0], least,
        memory::was_signalled(ended) ? "by a signal, as this one did" : "by a signal or _exit");
    return;
  }
  output.write(text);
}

// Tells of a process that runs. Returns 0, kFailure where nothing can be known of it, or kUsage.
int memory_of_running(const MemoryOptions& options) {
  const std::string words = words_of(options);
  if (words.empty()) {
    return kUsage;
  }
  std::string text;
  if (memory::is_watched(options.process)) {
    std::string fault;
    const std::string answer = memory::ask(options.process, fault);
    if (answer.empty()) {
      say("memory: process {}: {}", options.process, fault);
      return kFailure;
    }
    text = Reports().complete(Json::parse(answer, nullptr, false), options.json);
    if (text.empty()) {
      remark("memory: process {}: nothing to tell of by now: no region is large enough",
             options.process);
      return 0;
    }
  } else {
    text = unwatched(options, words);
  }
  if (text.empty()) {
    return kFailure;
  }
  Output output(options.output, stdout);
  return output.is_open() && output.write(text) ? 0 : kFailure;
}

// Returns the program's exit status, as a shell tells it.
int memory_command(const MemoryOptions& options) {
  const auto library = find_library(options.library);
  if (!library) {
    return kFailure;
  }
  memory::Ended ended;
  {
    const TemporaryFolder folder("memory");
    if (folder.path().empty()) {
      say("memory: {}", folder.fault());
      return kFailure;
    }
    const std::string wish = wish_of(options, folder.path());
    if (wish.empty()) {
      return kUsage;
    }
    Output output(options.output, stderr);
    if (!output.is_open()) {
      return kFailure;
    }
    ended = watch(options, wish, *library);
    if (ended.error != 0) {
      say("memory: {}", std::strerror(ended.error));
      return kFailure;
    }
    if (!memory::has_not_started(ended)) {
      tell(options, ended, folder, output);
    }
  }
  return memory::end_alike(ended);
}

int check_and_do(const CLI::App& command, MemoryOptions& options, Call& call) {
  if (!take_program(command, call.behind_dashes, options.program)) {
    return kUsage;
  }
  if (options.process != 0) {
    if (!options.program.empty() || options.seconds != 0) {
      say("memory: --pid is for a process that runs: no {} then",
          options.program.empty() ? "--seconds" : "program");
      return kUsage;
    }
    return memory_of_running(options);
  }
  if (options.program.empty()) {
    say("memory: which program? nestbind memory [OPTIONS] -- program arguments, or --pid NUMBER of "
        "one that runs");
    return kUsage;
  }
  warn_of_unknown_variables();
  return memory_command(options);
}

}  // namespace

void add_memory(CLI::App& app, Call& call) {
  constexpr int kMostSeconds = 1000000;
  constexpr int kMostProcess = 1 << 30;
  const auto shared = std::make_shared<MemoryOptions>();
  MemoryOptions& options = *shared;
  CLI::App& command = *app.add_subcommand(
      "memory", "Run a program, and tell which of its arrays lie on the wrong NUMA nodes");
  command.formatter(
      help_format({"[OPTIONS] [--] PROGRAM [ARGUMENT...]", "[OPTIONS] --pid NUMBER"}));
  command.add_option("--seconds", options.seconds, "Watch so long only; by default to the end")
      ->type_name("N")
      ->check(within(1, kMostSeconds));
  command
      .add_option("--pid", options.process,
                  "A process that runs, in place of a program: what is known of it by now")
      ->type_name("NUMBER")
      ->check(within(1, kMostProcess));
  command.add_option("--min", options.least, "Regions of at least so much; by default 8M")
      ->type_name("SIZE");
  add_format(command, options.format, "text (the default) or json, a line for each process");
  command
      .add_option("--output", options.output,
                  "Write there, and not on the standard error output, which is the program's, too")
      ->type_name("FILE");
  add_library(command, options.library);
  command.prefix_command();
  add_examples(command, {"nestbind memory -- ./program", "a report at its end"},
               {"nestbind memory --pid 4711", "what is known by now of a process that runs"});
  command.callback([&command, &call, shared] {
    shared->json = shared->format == "json";
    call.status = check_and_do(command, *shared, call);
  });
}

}  // namespace nestbind::cli
