// SPDX-License-Identifier: BSD-3-Clause
#include "cli/memory/watched_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "cli/common/environment.hpp"
#include "cli/common/output_files.hpp"
#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/memory/looks.hpp"
#include "cli/memory/memory_parts.hpp"
#include "cli/subcommand.hpp"
#include "memory/orders/order_file.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

using memory::Watcher;

// The constructor tests the file before the program runs. The file is made or emptied only after
// the program has ended.
class Output {
 public:
  // If `name` is empty, the output is `otherwise`.
  Output(const std::string& name, std::FILE* otherwise)
      : name_(expanded_file_name(name)), otherwise_(otherwise) {
    errno = name.empty() ? 0 : output_error(name_);
    is_good_ = tell_fault(errno == 0);
  }
  bool is_good() const { return is_good_; }

  bool write(const std::string& text) {
    if (!name_.empty()) {
      return tell_fault(write_file(name_, text));
    }
    const bool is_written = std::fwrite(text.data(), 1, text.size(), otherwise_) == text.size();
    return tell_fault((std::fflush(otherwise_) == 0 && is_written) || otherwise_ == stderr);
  }

 private:
  bool tell_fault(bool is_good) const {
    if (!is_good) {
      say("memory: {}: {}", name_.empty() ? "standard output" : "--output " + name_,
          std::strerror(errno));
    }
    return is_good;
  }

  std::string name_;
  std::FILE* otherwise_;
  bool is_good_;
};

std::string printable_lines(const std::string& text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    shown += printable(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return shown;
}

void ask_for_fast_scans(const WatchedRun& run, std::optional<memory::FasterScans>& scans) {
  if (run.is_scanned_fast) {
    scans.emplace(memory::kScanFolder);
    if (!scans->fault().empty()) {
      warn("memory: --scan=fast failed: {}", scans->fault());
    }
  }
}

bool tell(const WatchedRun& run, const std::string& what, Watcher& watcher,
          const memory::Applier* applier, Output& output) {
  std::signal(SIGPIPE, SIG_IGN);  // the reader of this output may have ended
  std::signal(SIGXFSZ, SIG_IGN);  // the file may have reached its size limit
  const std::string text =
      memory::report_of(watcher, applier == nullptr ? nullptr : &applier->done(), run.is_json);
  if (text.empty()) {
    remark(
        "memory: {}: nothing to report: no process had a region of {} for long enough; --min SIZE "
        "(or --memory=advise,min=SIZE) lowers the size; {}",
        what, memory::size_in_words(run.least), watcher.circumstances());
  }
  return output.write(run.is_json ? text : printable_lines(text));
}

}  // namespace

WatchedRun watched_run_of(const std::string& wish) {
  WatchedRun run;
  nestbind::memory::WishFault fault;
  nestbind::memory::parse(wish, run, fault);
  return run;
}

int run_watched(const WatchedRun& run, const std::string& program,
                const std::function<int()>& become) {
  memory::Ended ended;
  {
    Output output(run.file, stderr);
    if (!output.is_good()) {
      return kFailure;
    }
    std::optional<memory::FasterScans> scans;
    ask_for_fast_scans(run, scans);
    std::optional<TemporaryFolder> folder;
    std::optional<memory::Applier> applier;
    if (run.is_apply) {
      folder.emplace("memory");
      std::string fault = folder->fault();
      if (fault.empty()) {
        applier.emplace(folder->path());
        fault = applier->fault();
      }
      if (!fault.empty()) {
        warn("memory: no pages are moved: {}", fault);
        applier.reset();
      }
    }
    Watcher watcher(run);
    ended = memory::run_child(
        [&] {
          const char* const name = options::kTable[options::kMemory].rule.name;
          unsetenv(name);
          if (applier) {
            setenv(name, (nestbind::memory::kOrdersWord + applier->file()).c_str(), 1);
          }
          return become();
        },
        [&](pid_t child) { watcher.begin(child); },
        [&](int file) {
          watcher.watch_until(file, [&](const memory::Watched& watched) {
            if (applier) {
              applier->looked(watched, watcher);
            }
          });
        });
    if (ended.error != 0) {
      say("memory: {}", std::strerror(ended.error));
      return kFailure;
    }
    if (ended.is_executed && ended.is_watched) {
      memory::guarded("there is no report", [&] {
        watcher.finish();
        tell(run, program, watcher, applier ? &*applier : nullptr, output);
      });
    }
  }
  return memory::end_alike(ended);
}

int watch_running(const WatchedRun& run, int process) {
  Output output(run.file, stdout);
  if (!output.is_good()) {
    return kFailure;
  }
  std::optional<memory::FasterScans> scans;
  ask_for_fast_scans(run, scans);
  Watcher watcher(run);
  if (const int error = watcher.begin_running(process); error != 0) {
    say("memory: process {}: {}", process,
        error == ENOENT ? "there is no such process"
        : error == ESRCH
            ? "it has ended, or belongs to the kernel: it has no memory"
            : "it is another user's, or protected: " + std::string(std::strerror(error)));
    return kFailure;
  }
  watcher.watch_until(-1, nullptr);
  watcher.finish();
  const std::string what = fmt::format("process {}", process);
  return tell(run, what, watcher, nullptr, output) ? 0 : kFailure;
}

}  // namespace nestbind::cli
