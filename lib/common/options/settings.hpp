// SPDX-License-Identifier: BSD-3-Clause
// The settings in force, as the variables of this process say.
#pragma once

namespace nestbind::options {

// kAuto: a picture on a terminal, the table elsewhere.
enum class ReportFormat { kNone, kAuto, kPicture, kText, kJson };

// Ranks of a node with one mask: whether they divide it, share it, or the user says which of how
// many this process is.
enum class Ranks { kDivide, kShared, kByHand };

// Threads of the program's own that fork: what the specification says, the first one owns the plan,
// or they divide the machine.
enum class Roots { kBySpecification, kFirst, kDivide };

// OMP_DISPLAY_AFFINITY: which runtimes take its value for yes.
enum class Display { kNever, kLlvm, kAlways };

// Files by which processes see each other are there, if NESTBIND_PUBLISH names no other folder.
inline constexpr char kSharedFolder[] = "/dev/shm";

// What the site's file (site.hpp) can turn off for everybody.
enum Feature { kWorkersOff, kSchedulesOff, kMemoryOff, kRanksOff, kEverythingOff, kFeatures };

struct Settings {
  const char* text = nullptr;                 // OMP_NESTING_TEAM_SIZE
  bool strict = false;                        // NESTBIND_STRICT=1
  bool sizes = true;                          // NESTBIND_TEAM_SIZES=set
  const char* threads = nullptr;              // OMP_NUM_THREADS when the process was started
  const char* own_threads = nullptr;          // the same, where it wins over the sizes
  int smt = 0;                                // NESTBIND_SMT; 0: as many as are wanted
  int cores = 0;                              // NESTBIND_CORES, as machine::CoreChoice
  const char* machine = nullptr;              // NESTBIND_MACHINE
  const char* records = nullptr;              // NESTBIND_MACHINE_RECORDS
  bool probed_distances = false;              // NESTBIND_MACHINE_DISTANCES=probed
  const char* cache = nullptr;                // NESTBIND_CACHE
  ReportFormat report = ReportFormat::kNone;  // NESTBIND_REPORT
  bool report_now = false;                    // at each fork, and not a layout at a time
  const char* report_file = nullptr;          // what stands after its colon
  bool wants_llvm = false;                    // NESTBIND_RUNTIME=llvm
  bool quiet = false;                         // NESTBIND_QUIET=1
  bool keep_workers = true;                   // NESTBIND_WORKERS=kept
  bool publishes = true;                      // NESTBIND_PUBLISH is not off
  const char* publish = kSharedFolder;        // NESTBIND_PUBLISH: a folder; ranks meet there, too
  const char* trace = nullptr;                // NESTBIND_TRACE
  const char* schedule = nullptr;  // NESTBIND_SCHEDULE: the text, which lib/preload/loops reads
  const char* memory = nullptr;    // NESTBIND_MEMORY: the text, which lib/memory reads
  const char* order = nullptr;     // NESTBIND_ORDER: a file, which lib/planner/mapping reads
  Ranks ranks = Ranks::kDivide;    // NESTBIND_RANKS
  bool ignores_quota = false;      // NESTBIND_QUOTA=ignore
  const char* rules = nullptr;     // NESTBIND_RULES: a file, which lib/common/rules reads
  const char* started = nullptr;   // NESTBIND_STARTED: the process that the command started
  int local_rank = 0;              // of kByHand: LOCAL/OF
  int local_ranks = 0;             // likewise
  Roots roots = Roots::kBySpecification;  // NESTBIND_ROOTS
  int root_parts = 0;                 // of kDivide: so many, fixed; 0: as many as roots are live
  const char* competing = nullptr;    // the first of kCompeting that is set
  Display display = Display::kNever;  // OMP_DISPLAY_AFFINITY
  unsigned off = 0;                   // a bit for each Feature
};

// Written by the functions below alone.
extern Settings g_settings __attribute__((visibility("hidden")));

// As read by read(); the defaults before that.
inline const Settings& settings() { return g_settings; }
inline bool is_off(Feature feature) {
  return (g_settings.off & (1U << feature | 1U << kEverythingOff)) != 0;
}

// A variable's value; null where it is empty, which means unset, and in set-user-ID programs.
const char* variable(const char* name);

// Longer values of OMP_NUM_THREADS are not remembered.
inline constexpr int kMostThreadsText = 63;

// Reads the specification's variable, and what the program may change: whether there is anything to
// do.
bool specification_is_set();

// Whether there is a schedule of loops; its text is read with the others.
bool schedule_is_set();

// Whether the process's memory is to be watched, and whether there are rules for regions; likewise.
bool memory_is_set();
bool rules_are_set();

struct Faults;  // table.hpp

// Reads the variables, at the first call. Returns those with a value that they cannot have, for
// which the default stays; none at later calls. The site's file is read, too.
Faults read();

// From now on OMP_NUM_THREADS, with this value, wins over the specification's sizes. Copied.
void let_threads_win(const char* value);

}  // namespace nestbind::options
