// SPDX-License-Identifier: BSD-3-Clause
// What the files of nestbind memory share. The result for each region is a story: the verdict, and
// the source line of the first touch.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "cli/memory/watcher.hpp"
#include "cli/source/source_lines.hpp"
#include "memory/watch/verdict.hpp"

namespace nestbind::cli::memory {

namespace watch = nestbind::memory::watch;

// Where a fault happened: the first frame of the call chain that is in the user's sources.
struct Origin {
  source::Place place;                // `module` is empty if unknown
  std::vector<source::Frame> frames;  // only with debug information; the user's frame is first
  auto key() const {
    return frames.empty() ? fmt::format("{}+{}", place.module, place.function)
                          : fmt::format("{}:{}", frames[0].file, frames[0].line);
  }
};

struct Story {
  const watch::Region* region = nullptr;
  watch::Verdict verdict;
  std::uint64_t bytes = 0;
  std::uint64_t first_touches = 0;
  Origin origin;
  double part = 0;  // per cent of the region's first touches
  // The thread that made nearly all first touches. Threads have numbers from 0, in the order of
  // their creation. The number is -1 if several threads made the first touches.
  int thread = -1;
  std::vector<double> on;  // per cent of the pages on each node, by position in nodes().numbers
  bool is_lossy = false;
};

// Converts numbers of pages on nodes to per cent of all pages. `counts` is indexed by the kernel's
// number of the node. The result has the order of nodes().numbers.
std::vector<double> percent_of(const std::vector<std::uint64_t>& counts);

std::vector<Story> stories_of(const Watched& watched, const Watcher& watcher);

struct Ended {
  int status = 0;  // from waitpid
  int error = 0;   // errno if the child could not be made; otherwise 0
  bool is_executed = false;
  bool is_watched = false;  // False if an exception has ended the watching.
};

// Calls `what`. If it throws an exception, says so and returns false. An exception that went
// further would end this process, and leave the program without its parent.
template <typename What>
bool guarded(const char* result, What what) noexcept {
  try {
    what();
    return true;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "nestbind: memory: %s: %s\n", result, fault.what());
    return false;
  }
}

// Runs `become` in a child. If `become` returns, the program was not executed, and its result is
// the child's exit status. First calls `prepare` with the child's process number. Then calls
// `attend` with a descriptor. The descriptor becomes readable when SIGCHLD arrives. Passes signals
// on to the child if the child has not got them, too. If job control stops the child, stops with
// it.
Ended run_child(const std::function<int()>& become, const std::function<void(pid_t)>& prepare,
                const std::function<void(int)>& attend);

// Returns the child's exit status. If a signal has killed the child, the same signal kills this
// process, but this process writes no core file.
int end_alike(const Ended& ended);

std::string size_in_words(std::uint64_t bytes);

struct Applied {
  std::uint32_t process = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t pages = 0;
  std::vector<std::uint64_t> before;  // pages by node
  std::vector<std::uint64_t> after;
  double local = 0;  // local uses before the change, in per cent
  bool has_policy = false;
  bool is_undone = false;
  std::string fault;

  int order = -1;
  int looks = 0;
  bool is_over = false;
};

class Applier {
 public:
  // Creates the file of orders. If this fails, `fault` says why.
  explicit Applier(const std::string& folder);
  ~Applier();
  Applier(const Applier&) = delete;
  Applier& operator=(const Applier&) = delete;
  const std::string& file() const { return name_; }
  const std::string& fault() const { return fault_; }

  void looked(const Watched& watched, const Watcher& watcher);
  const std::vector<Applied>& done() const { return done_; }

 private:
  // Returns false if the file of orders is full. `applied` is then over.
  bool order(Applied& applied, bool is_interleaved);
  void go_on(Applied& applied, const nestbind::memory::watch::Facts& facts);

  std::string name_;
  std::string fault_;
  void* mapped_ = nullptr;
  std::vector<Applied> done_;
};

// Returns the report on all programs: text, or a line of JSON for each process.
std::string report_of(Watcher& watcher, const std::vector<Applied>* applied, bool is_json);

}  // namespace nestbind::cli::memory
