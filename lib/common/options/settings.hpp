// SPDX-License-Identifier: BSD-3-Clause
// The settings in force, from the variables of this process and the site's file.
#pragma once

namespace nestbind::options {

// kAuto means a picture if the output is a terminal, otherwise the table.
enum class ReportFormat { kNone, kAuto, kPicture, kText, kJson };

// What the ranks of a node do if they have the same mask. kByHand: the user numbers the ranks.
enum class Ranks { kDivide, kShared, kByHand };

// Which of the program's own threads get places for their teams. kFirst: only the first thread that
// forks a team. kDivide: all threads, which divide the machine.
enum class Roots { kBySpecification, kFirst, kDivide };

// Which runtimes take the value of OMP_DISPLAY_AFFINITY for true: none, only LLVM's, or all.
enum class Display { kNever, kLlvm, kAlways };

// Processes find each other through files in this folder. NESTBIND_PUBLISH can name another folder.
inline constexpr char kSharedFolder[] = "/dev/shm";

// The features that the site's file (site_file.hpp) can turn off for everybody.
enum Feature { kWorkersOff, kSchedulesOff, kMemoryOff, kRanksOff, kEverythingOff, kFeatures };

struct Settings {
  const char* text = nullptr;                 // OMP_NESTING_TEAM_SIZE
  bool strict = false;                        // NESTBIND_STRICT=1
  bool sizes = true;                          // NESTBIND_TEAM_SIZES=set
  const char* threads = nullptr;              // OMP_NUM_THREADS when the process was started
  const char* own_threads = nullptr;          // OMP_NUM_THREADS, if it wins over the plan
  int smt = 0;                                // NESTBIND_SMT; 0 for the number that teams need
  int cores = 0;                              // NESTBIND_CORES, as machine::CoreChoice
  const char* machine = nullptr;              // NESTBIND_MACHINE
  const char* records = nullptr;              // NESTBIND_MACHINE_RECORDS
  bool probed_distances = false;              // NESTBIND_MACHINE_DISTANCES=probed
  const char* cache = nullptr;                // NESTBIND_CACHE
  ReportFormat report = ReportFormat::kNone;  // NESTBIND_REPORT
  bool report_now = false;                    // report each team at its fork
  const char* report_file = nullptr;          // the file after the colon of NESTBIND_REPORT
  bool wants_llvm = false;                    // NESTBIND_RUNTIME=llvm
  bool quiet = false;                         // NESTBIND_QUIET=1
  bool keep_workers = true;                   // NESTBIND_WORKERS=kept
  bool publishes = true;                      // NESTBIND_PUBLISH is not off
  const char* publish = kSharedFolder;        // NESTBIND_PUBLISH: a folder; ranks meet there
  const char* trace = nullptr;                // NESTBIND_TRACE
  const char* schedule = nullptr;  // NESTBIND_SCHEDULE: the text, which lib/preload/loops reads
  const char* memory = nullptr;    // NESTBIND_MEMORY: the text, which lib/memory reads
  const char* order = nullptr;     // NESTBIND_ORDER: a file, which lib/planner/mapping reads
  Ranks ranks = Ranks::kDivide;    // NESTBIND_RANKS
  bool ignores_quota = false;      // NESTBIND_QUOTA=ignore
  const char* rules = nullptr;     // NESTBIND_RULES: a file, which lib/common/rules reads
  const char* started = nullptr;   // NESTBIND_STARTED: the process that the command started
  int local_rank = 0;              // with kByHand: LOCAL in LOCAL/OF
  int local_ranks = 0;             // with kByHand: OF in LOCAL/OF
  Roots roots = Roots::kBySpecification;  // NESTBIND_ROOTS
  int root_parts = 0;                     // kDivide: number of parts; 0: a part for each live root
  const char* competing = nullptr;        // the first of kCompeting that is set
  Display display = Display::kNever;      // OMP_DISPLAY_AFFINITY
  unsigned off = 0;                       // a bit for each Feature
};

// Only the functions below write to g_settings.
extern Settings g_settings __attribute__((visibility("hidden")));

// Returns the settings in force. Until read() is called, they are the defaults.
inline const Settings& settings() { return g_settings; }
inline bool is_off(Feature feature) {
  return (g_settings.off & (1U << feature | 1U << kEverythingOff)) != 0;
}

// Returns a variable's value, or null if it is unset or empty, or the program is set-user-ID.
const char* variable(const char* name);

// Longer values of OMP_NUM_THREADS are not remembered.
inline constexpr int kMostThreadsText = 63;

// Reads the specification and OMP_NUM_THREADS. Returns whether there is a specification.
bool specification_is_set();

// Whether there is a schedule of loops. read() reads the text of the schedule.
bool schedule_is_set();

bool memory_is_set();
bool rules_are_set();

struct Faults;  // table.hpp

// Reads the variables and the site's file at the first call. Returns the variables with wrong
// values; their settings keep the defaults. Later calls read nothing and return no faults.
Faults read();

// Lets this value of OMP_NUM_THREADS win over the specification's sizes. Copies the value.
void let_threads_win(const char* value);

}  // namespace nestbind::options
