// SPDX-License-Identifier: BSD-3-Clause
// The settings in force, from the variables of this process and the site's file.
#pragma once

#include "options/said_sizes.hpp"

namespace nestbind::options {

// kAuto means a picture if the output is a terminal, otherwise the table.
enum class ReportFormat { kNone, kAuto, kPicture, kText, kJson };

// What the ranks of a node do if they have the same mask. kByHand: the user numbers the ranks.
enum class Ranks { kDivide, kShared, kByHand };

// Which of the program's own threads get places for their teams. kFirst: only the first thread that
// forks a team. kDivide: all threads divide the machine.
enum class Roots { kBySpecification, kFirst, kDivide };

// Which runtimes take the value of OMP_DISPLAY_AFFINITY for true: none, only LLVM's, or all.
enum class Display { kNever, kLlvm, kAlways };

// Processes find each other through files in this folder.
inline constexpr char kSharedFolder[] = "/dev/shm";

// The features that the site's file (site_file.hpp) can turn off for everybody.
enum Feature {
  kWorkersOff,
  kSchedulesOff,
  kMemoryOff,
  kRanksOff,
  kReorderOff,
  kEverythingOff,
  kFeatures
};

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): there is one object
struct Settings {
  const char* text = nullptr;  // OMP_NESTING_TEAM_SIZE
  bool strict = false;
  bool sizes = true;
  const char* threads = nullptr;        // OMP_NUM_THREADS when the process was started
  const char* later_threads = nullptr;  // OMP_NUM_THREADS, if it wins (said_sizes.hpp)
  const char* run = nullptr;
  int smt = 0;    // NESTBIND_SMT; 0 for the number that teams need
  int cores = 0;  // NESTBIND_CORES, as machine::CoreChoice
  const char* machine = nullptr;
  const char* records = nullptr;
  bool probed_distances = false;
  const char* cache = nullptr;
  ReportFormat report = ReportFormat::kNone;
  bool report_now = false;  // report each team at its fork
  const char* report_file = nullptr;
  bool wants_llvm = false;
  bool quiet = false;
  bool keep_workers = true;
  bool publishes = true;
  const char* publish = kSharedFolder;  // NESTBIND_PUBLISH: a folder; ranks meet there
  const char* trace = nullptr;
  const char* schedule = nullptr;
  int balance_every = 0;  // NESTBIND_BALANCE_ACROSS: 0 for auto, -1 for off
  const char* memory = nullptr;
  const char* order = nullptr;  // the name of a file
  Ranks ranks = Ranks::kDivide;
  bool ignores_quota = false;
  const char* rules = nullptr;  // the name of a file
  bool reorders = false;
  const char* traffic = nullptr;  // the name of a folder
  const char* mpi = nullptr;
  const char* started = nullptr;
  const char* devices = nullptr;
  const char* given_devices = nullptr;  // names, and a remark after ';'
  int local_rank = 0;                   // from the value LOCAL/OF; 0 if not given
  int local_ranks = 0;
  Roots roots = Roots::kBySpecification;
  int root_parts = 0;  // parts for kDivide; if 0, a part for each live root
  const char* competing = nullptr;
  Display display = Display::kNever;
  unsigned off = 0;  // a bit for each Feature
};

// Only the functions below write to g_settings.
extern Settings g_settings __attribute__((visibility("hidden")));

// The settings are the defaults until read() is called.
inline const Settings& settings() { return g_settings; }
inline bool is_off(Feature feature) {
  return (g_settings.off & (1U << feature | 1U << kEverythingOff)) != 0;
}

// Longer values of OMP_NUM_THREADS are not remembered.
inline constexpr int kMostThreadsText = 63;

// Reads the specification and OMP_NUM_THREADS.
bool specification_is_set();

bool schedule_is_set();

// Returns NESTBIND_BALANCE_ACROSS as in Settings. Also read without a specification, when a
// balancer is made. A wrong value counts as auto: a message has said so at the start.
int read_balance();

bool memory_is_set();
bool rules_are_set();

struct Faults;

// Reads the variables and the site's file at the first call. Returns the variables with wrong
// values; their settings keep the defaults.
Faults read();

// If OMP_NUM_THREADS was set after nestbind began (said_sizes.hpp), it wins: nestbind sets no
// sizes. Returns true if this call has found it.
bool look_for_later_threads();

}  // namespace nestbind::options
