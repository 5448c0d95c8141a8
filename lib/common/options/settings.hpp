// SPDX-License-Identifier: BSD-3-Clause
// The settings in force, from the variables of this process.
#pragma once

namespace nestbind::options {

// kAuto: a picture on a terminal, otherwise the table.
enum class ReportFormat { kNone, kAuto, kPicture, kText, kJson };

// Ranks of a node with one mask divide it, share it, or the user gives the rank and their number.
enum class Ranks { kDivide, kShared, kByHand };

// Which of the program's own threads follow the plan when they fork: as the specification says,
// only the first one, or all, and they divide the machine.
enum class Roots { kBySpecification, kFirst, kDivide };

// Which runtimes accept the value of OMP_DISPLAY_AFFINITY as yes.
enum class Display { kNever, kLlvm, kAlways };

// The folder of files by which processes see each other, unless NESTBIND_PUBLISH names another.
inline constexpr char kSharedFolder[] = "/dev/shm";

// The features that the site's file (site_file.hpp) can turn off for everybody.
enum Feature { kWorkersOff, kSchedulesOff, kMemoryOff, kRanksOff, kEverythingOff, kFeatures };

struct Settings {
  const char* text = nullptr;                 // OMP_NESTING_TEAM_SIZE
  bool strict = false;                        // NESTBIND_STRICT=1
  bool sizes = true;                          // NESTBIND_TEAM_SIZES=set
  const char* threads = nullptr;              // OMP_NUM_THREADS when the process was started
  const char* own_threads = nullptr;          // the same, if it wins over the plan's sizes
  int smt = 0;                                // NESTBIND_SMT; 0: as many as are wanted
  int cores = 0;                              // NESTBIND_CORES, as machine::CoreChoice
  const char* machine = nullptr;              // NESTBIND_MACHINE
  const char* records = nullptr;              // NESTBIND_MACHINE_RECORDS
  bool probed_distances = false;              // NESTBIND_MACHINE_DISTANCES=probed
  const char* cache = nullptr;                // NESTBIND_CACHE
  ReportFormat report = ReportFormat::kNone;  // NESTBIND_REPORT
  bool report_now = false;                    // at each fork, instead of once for a layout
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
  int local_rank = 0;              // of kByHand: LOCAL/OF
  int local_ranks = 0;             // for kByHand
  Roots roots = Roots::kBySpecification;  // NESTBIND_ROOTS
  int root_parts = 0;                     // for kDivide: parts; 0: one for each live root
  const char* competing = nullptr;        // the first of kCompeting that is set
  Display display = Display::kNever;      // OMP_DISPLAY_AFFINITY
  unsigned off = 0;                       // a bit for each Feature
};

// Only the functions below write it.
extern Settings g_settings __attribute__((visibility("hidden")));

// The defaults until read() is called.
inline const Settings& settings() { return g_settings; }
inline bool is_off(Feature feature) {
  return (g_settings.off & (1U << feature | 1U << kEverythingOff)) != 0;
}

// A variable's value; null if it is unset or empty, and in set-user-ID programs.
const char* variable(const char* name);

// Longer values of OMP_NUM_THREADS are not remembered.
inline constexpr int kMostThreadsText = 63;

// Reads the specification, and OMP_NUM_THREADS, which the program may change. Whether there is one.
bool specification_is_set();

// Whether there is a schedule of loops. read() reads its text.
bool schedule_is_set();

// Whether the process's memory is to be watched, and whether there are rules for regions.
bool memory_is_set();
bool rules_are_set();

struct Faults;  // table.hpp

// The first call reads the variables. Returns those with a wrong value, which keep their default.
// Later calls return none. The site's file is read, too.
Faults read();

// From now on this value of OMP_NUM_THREADS wins over the specification's sizes. Copies the value.
void let_threads_win(const char* value);

}  // namespace nestbind::options
