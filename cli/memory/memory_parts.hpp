// SPDX-License-Identifier: BSD-3-Clause
// What the files of nestbind memory share.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/memory/watcher.hpp"

namespace nestbind::cli::memory {

struct Ended {
  int status = 0;  // from waitpid
  int error = 0;   // errno if the child could not be made; otherwise 0
};

// Runs `become` in a child, which exits with the returned status. Before that, `prepare` is called
// here with the child's number. Until the child has ended, `attend` is called with a descriptor
// that becomes readable if the child may have ended. Only the child answers signals of the
// terminal; SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are passed on to it.
Ended run_child(const std::function<int()>& become, const std::function<void(pid_t)>& prepare,
                const std::function<void(int)>& attend);

// Whether the program could not be executed: a shell's status 126 or 127.
bool has_not_started(const Ended& ended);

// Ends as the child did. After a signal: ends by the same signal, but writes no second core file.
// Otherwise returns the child's exit status.
int end_alike(const Ended& ended);

// A size for users: "16.0 MiB".
std::string size_in_words(std::uint64_t bytes);

// A region that was interleaved automatically (apply).
struct Applied {
  std::uint32_t process = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t pages = 0;            // that were moved
  std::vector<std::uint64_t> before;  // pages by node
  std::vector<std::uint64_t> after;
  double local = 0;  // local uses before the change, per cent
  bool has_policy = false;
  bool is_undone = false;
  std::string fault;  // why interleaving was given up
};

// Interleaves regions that several nodes share.
class Applier {
 public:
  // Creates the file of orders; if that fails, `fault` says why.
  explicit Applier(const std::string& folder);
  ~Applier();
  Applier(const Applier&) = delete;
  Applier& operator=(const Applier&) = delete;
  const std::string& file() const { return name_; }
  const std::string& fault() const { return fault_; }

  // Call it after each look.
  void looked(const Watched& watched, const Watcher& watcher);
  const std::vector<Applied>& done() const { return done_; }

 private:
  struct Under;
  void order(Under& under, bool is_interleaved);
  void go_on(Under& under, const nestbind::memory::watch::Facts& facts);

  std::string name_;
  std::string fault_;
  void* mapped_ = nullptr;
  std::vector<Applied> done_;
  std::vector<Under> under_;
};

// The report on all programs: text, or a line of JSON for each process. Empty if there is nothing
// to report.
std::string report_of(Watcher& watcher, const std::vector<Applied>* applied, bool is_json);

}  // namespace nestbind::cli::memory
