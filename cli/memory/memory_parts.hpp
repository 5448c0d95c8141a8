// SPDX-License-Identifier: BSD-3-Clause
// What the files of nestbind memory give each other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/memory/watcher.hpp"

namespace nestbind::cli::memory {

struct Ended {
  int status = 0;  // as waitpid tells it
  int error = 0;   // why it could not be made; 0: it could
};

// Runs `become` in a child, whose exit status is what that returns, after `prepare` has been called
// with its number here; then `attend` is called with a descriptor that can be read if the child may
// have ended, until it has. Signals of the terminal are the child's alone to answer; SIGTERM,
// SIGHUP, SIGUSR1 and SIGUSR2 are handed on to it.
Ended run_child(const std::function<int()>& become, const std::function<void(pid_t)>& prepare,
                const std::function<void(int)>& attend);

// The program could not be executed, as a shell tells it: 126 or 127.
bool has_not_started(const Ended& ended);

// Ends as the child did: the same signal, if it was one, without another core file. Otherwise
// returns its exit status.
int end_alike(const Ended& ended);

// A size as users read it: "16.0 MiB".
std::string size_in_words(std::uint64_t bytes);

// What has been interleaved without asking (apply).
struct Applied {
  std::uint32_t process = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t pages = 0;            // that were moved
  std::vector<std::uint64_t> before;  // pages by node
  std::vector<std::uint64_t> after;
  double local = 0;  // per cent, before
  bool has_policy = false;
  bool is_undone = false;
  std::string fault;  // why it was given up

  int order = -1;  // the last one; -1: none
  int looks = 0;   // at its pages, since there is a policy
  bool is_over = false;
};

// Interleaves what several nodes share.
class Applier {
 public:
  // The file of orders is made; `fault` says why it could not be.
  explicit Applier(const std::string& folder);
  ~Applier();
  Applier(const Applier&) = delete;
  Applier& operator=(const Applier&) = delete;
  const std::string& file() const { return name_; }
  const std::string& fault() const { return fault_; }

  // After a look.
  void looked(const Watched& watched, const Watcher& watcher);
  const std::vector<Applied>& done() const { return done_; }

 private:
  void order(Applied& applied, bool is_interleaved);
  void go_on(Applied& applied, const nestbind::memory::watch::Facts& facts);

  std::string name_;
  std::string fault_;
  void* mapped_ = nullptr;
  std::vector<Applied> done_;
};

// What is told of all programs: text, or a line of JSON for each process. Empty if there is
// nothing.
std::string report_of(Watcher& watcher, const std::vector<Applied>* applied, bool is_json);

}  // namespace nestbind::cli::memory
