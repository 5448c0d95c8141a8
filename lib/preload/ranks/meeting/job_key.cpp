// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/meeting/job_key.hpp"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <initializer_list>

#include "options/said_sizes.hpp"
#include "options/settings.hpp"
#include "support/decimal.hpp"
#include "support/files.hpp"
#include "support/stat_line.hpp"

namespace nestbind::ranks {

namespace {

using options::variable;
using support::Descriptor;
using support::system_call;

constexpr char kByHand[] = "NESTBIND_RANKS";
constexpr char kSpecification[] = "OMP_NESTING_TEAM_SIZE";
constexpr char kRegionRules[] = "NESTBIND_RULES";

long open_of(long process, const char* file) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%ld/%s", process, file);
  return support::open_at(AT_FDCWD, name, O_RDONLY);
}

// The line of /proc/PROCESS/stat; empty if it cannot be read.
struct StatLine {
  char text[1024] = "";

  explicit StatLine(long process) {
    const Descriptor file(open_of(process, "stat"));
    const long length =
        file.is_open() ? system_call(SYS_read, file.number(), text, sizeof text - 1) : -1;
    text[length > 0 ? length : 0] = '\0';
  }
};

std::uint16_t start_in(const StatLine& line) {
  return static_cast<std::uint16_t>(support::stat_number(line.text, support::kStartTicks));
}

// If only the first thread has ended, the process still runs.
bool has_ended(const StatLine& line) {
  const char* const state = support::stat_field(line.text, support::kState);
  return state != nullptr && (*state == 'Z' || *state == 'X') &&
         support::stat_number(line.text, support::kThreads) <= 1;
}

// A hash that identifies a job on a node: ranks with the same key can meet.
class Key {
 public:
  void add(const char* text) {
    if (text == nullptr) {
      add_byte(kNoText);
    } else {
      add(text, strlen(text));
    }
  }
  void add(const char* text, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) {
      add_byte(static_cast<unsigned char>(text[i]));
    }
    add_byte(kEndOfText);
  }
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
      add_byte(static_cast<unsigned char>(number >> 8 * byte));
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr unsigned char kEndOfText = 0;
  static constexpr unsigned char kNoText = 1;

  // FNV-1a.
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

  std::uint64_t value_ = 0xcbf29ce484222325;
};

// Finds "NAME=" at the beginning of an entry, in a text that comes in pieces.
class Search {
 public:
  explicit Search(const char* name) : name_(name), length_(strlen(name)) {}

  bool has_found(const char* piece, long size) {
    for (long i = 0; i < size && !is_found_; ++i) {
      const char c = piece[i];
      if (c == '\0') {
        at_ = 0;
      } else if (at_ == length_ && c == '=') {
        is_found_ = true;
      } else {
        at_ = at_ < length_ && c == name_[at_] ? at_ + 1 : length_ + 1;
      }
    }
    return is_found_;
  }

 private:
  const char* const name_;
  const std::size_t length_;
  std::size_t at_ = 0;
  bool is_found_ = false;
};

// If its environment cannot be read, the process belongs to another user, and is no rank of this
// job.
bool has_variable(long process, const char* name, const char* or_name) {
  constexpr int kMostPieces = 512;  // 2 MiB
  const Descriptor file(open_of(process, "environ"));
  Search search(name);
  Search other(or_name);
  char piece[4096] = "";
  for (int i = 0; i < kMostPieces && file.is_open(); ++i) {
    const long size = system_call(SYS_read, file.number(), piece, sizeof piece);
    if (size <= 0) {
      return false;
    }
    if (search.has_found(piece, size) || other.has_found(piece, size)) {
      return true;
    }
  }
  return false;
}

// True if this is the process of Hydra that starts the ranks of a node. If a rank has started
// Hydra, this process has the variables of that rank, too.
bool is_proxy(const StatLine& line) { return strstr(line.text, "(hydra_pmi_proxy)") != nullptr; }

long parent_in(const StatLine& line) {
  constexpr int kParent = 4;
  return static_cast<long>(support::stat_number(line.text, kParent));
}

void add_process(Key& key, long process, const StatLine& line) {
  key.add(static_cast<std::uint64_t>(process));
  key.add(support::stat_number(line.text, support::kStartTicks));
}

constexpr int kMostAncestors = 64;

// The process that has started the topmost process with the variable.
void add_ancestor(Key& key, const char* name) {
  long process = getppid();
  StatLine line(process);
  for (int i = 0;
       i < kMostAncestors && process > 1 && !is_proxy(line) && has_variable(process, name, name);
       ++i) {
    process = parent_in(line);
    line = StatLine(process);
  }
  add_process(key, process, line);
}

// The topmost process with a specification of nestbind.
long number_at(const char* text) {
  return static_cast<long>(support::take_decimal(text, nullptr, INT_MAX));
}

// Returns true if this is another process than the calling one.
bool add_root(Key& key) {
  long process = getpid();
  StatLine line(process);
  for (int i = 0; i < kMostAncestors; ++i) {
    const long parent = parent_in(line);
    if (parent < 1 || !has_variable(parent, kSpecification, kRegionRules)) {
      break;
    }
    process = parent;
    line = StatLine(process);
  }
  add_process(key, process, line);
  return process != getpid();
}

void add_node(Key& key) {
  utsname host{};
  uname(&host);
  key.add(static_cast<const char*>(host.nodename));
  key.add(variable("SLURMD_NODENAME"));
}

std::uint64_t own_space() {
  struct stat space{};
  return stat("/proc/self/ns/pid", &space) == 0 ? std::uint64_t{space.st_ino} : 0;
}

}  // namespace

Job find_job(const Launcher* by, int of) {
  Key key;
  const char* const job = by == nullptr || by->job[0] == '\0' ? nullptr : variable(by->job);
  key.add(by == nullptr ? static_cast<const char*>(kByHand) : static_cast<const char*>(by->name));
  if (job != nullptr) {
    key.add(job);
    for (const char* part : {by->needs, by->node}) {  // Slurm's step, and the node's number in it
      key.add(part[0] == '\0' ? nullptr : variable(part));
    }
  } else {
    add_ancestor(key, by == nullptr ? kByHand : by->local);
  }
  add_node(key);
  const std::uint64_t space = own_space();
  key.add(space);
  key.add(static_cast<std::uint64_t>(of));
  return {key.value(), space};
}

Job find_tree() {
  Key key;
  // The first field names the outermost `nestbind run`. It is empty if there is none.
  const char* const run = variable(options::kRunName);
  const std::size_t length = run == nullptr ? 0 : strcspn(run, ";");
  bool is_below = length > 0 && number_at(run) != getpid();
  if (length > 0) {
    key.add(run, length);
  } else {
    is_below = add_root(key);
  }
  const options::Settings& set = options::settings();
  const bool is_by_hand = set.ranks == options::Ranks::kByHand;
  const Told told = told_in(variable);
  const int of = is_by_hand ? set.local_ranks : told.of;
  if (of > 0) {
    key.add(find_job(told.by, of).key);
    key.add(static_cast<std::uint64_t>(is_by_hand ? set.local_rank : told.local));
  }
  key.add(set.machine);
  add_node(key);
  const std::uint64_t space = own_space();
  key.add(space);
  return {key.value(), space, is_below};
}

namespace {

// The file that a process executes: its device and inode.
bool find_program(long process, struct stat& status) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%ld/exe", process);
  return stat(name, &status) == 0;
}

}  // namespace

int siblings() {
  constexpr int kMostAsked = 16;
  char text[4096];
  char name[64];
  const long parent = getppid();
  snprintf(name, sizeof name, "/proc/%ld/task/%ld/children", parent, parent);
  const Descriptor file(support::open_at(AT_FDCWD, name, O_RDONLY));
  const long length =
      file.is_open() ? system_call(SYS_read, file.number(), text, sizeof text - 1) : 0;
  text[length > 0 ? length : 0] = '\0';
  struct stat own{};
  struct stat other{};
  int all = 0;
  int asked = 0;
  int alike = 0;
  const char* at = text;
  for (bool is_known = find_program(getpid(), own); is_known && *at != '\0'; ++all) {
    const auto process = static_cast<long>(support::take_decimal(at, nullptr, INT_MAX));
    at += *at == ' ' ? 1 : 0;
    if (asked < kMostAsked) {
      ++asked;
      alike +=
          find_program(process, other) && own.st_dev == other.st_dev && own.st_ino == other.st_ino
              ? 1
              : 0;
    }
  }
  return asked == 0 ? 0 : alike * all / asked;
}

std::uint16_t start_of(long process) { return start_in(StatLine(process)); }

bool is_running(long process, std::uint16_t start) {
  const StatLine line(process);
  const std::uint16_t found = start_in(line);
  return !has_ended(line) && (found == 0 || start == 0 || found == start);
}

}  // namespace nestbind::ranks
