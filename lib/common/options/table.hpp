// SPDX-License-Identifier: BSD-3-Clause
// One table of nestbind's own variables: their values, and the command's options that set them.
#pragma once

#include "options/settings.hpp"

namespace nestbind::options {

inline constexpr char kSpecification[] = "OMP_NESTING_TEAM_SIZE";

// If OMP_NUM_THREADS wins over the specification, NESTBIND_OWN_THREADS has the same value.
inline constexpr char kThreads[] = "OMP_NUM_THREADS";
inline constexpr char kOwnThreads[] = "NESTBIND_OWN_THREADS";

// Other variables that bind threads. The specification wins over these variables.
inline constexpr const char* kCompeting[] = {"OMP_PROC_BIND", "OMP_PLACES", "KMP_AFFINITY",
                                             "GOMP_CPU_AFFINITY"};

struct Rule {
  const char* name;
  const char* words[5];  // with a null at the end
  const char* others;    // the other allowed values in words; null if there are none
  // word: the index of the value in `words`, or -1 if `words` has no such value.
  bool (*take)(Settings& into, const char* value, int word);
};

struct Option {
  const char* name;
  const char* bare;  // the value if the user gives no value; null if a value is required
  const char* value;
  const char* help;
};

struct Row {
  Rule rule;
  const char* unset;  // the word for the default; null if there is no such word
  Option option = {};
};

namespace into {

template <bool Settings::* kSetting, int kWord>
bool flag(Settings& settings, const char*, int word) {
  settings.*kSetting = word == kWord;
  return true;
}
template <const char* Settings::* kSetting>
bool text(Settings& settings, const char* value, int) {
  const bool is_good = value[0] != '\0';
  settings.*kSetting = is_good ? value : settings.*kSetting;
  return is_good;
}
bool report(Settings& settings, const char* value, int word);
bool smt(Settings& settings, const char* value, int word);
bool cores(Settings& settings, const char* value, int word);
bool cache(Settings& settings, const char* value, int word);
bool publish(Settings& settings, const char* value, int word);
bool ranks(Settings& settings, const char* value, int word);
bool roots(Settings& settings, const char* value, int word);

}  // namespace into

// The table, the help and messages list the variables in this order.
enum Variable {
  kReport,
  kSmt,
  kCores,
  kRuntime,
  kMachine,
  kDistances,
  kTeamSizes,
  kStrict,
  kWorkers,
  kCache,
  kQuiet,
  kTrace,
  kPublish,
  kSchedule,
  kMemory,
  kOrder,
  kRanks,
  kRoots,
  kQuota,
  kRegionRules,
  kOwn,
  kRecords,
  kStarted,
  kVariables
};

inline constexpr Row kTable[kVariables] = {
    {{"NESTBIND_REPORT",
      {"auto", "picture", "text", "json"},
      ", also with ,now and :FILE after it",
      into::report},
     nullptr,
     {"--report", "auto", nullptr,
      "=auto|picture|text|json[,now][:FILE]: report each layout, to the standard error output or "
      "to a file (%h host, %p process, %r rank); now: report each team when it is forked"}},
    {{"NESTBIND_SMT", {}, "a number from 1 to 1000", into::smt},
     nullptr,
     {"--smt", nullptr, "N",
      "Threads for each core; by default NESTBIND_SMT, or as many as the teams need"}},
    {{"NESTBIND_CORES", {"auto", "performance", "efficient", "all"}, nullptr, into::cores},
     "auto",
     {"--cores", nullptr, "KIND",
      "Cores of a hybrid machine: auto, performance, efficient or all; by default NESTBIND_CORES, "
      "or auto"}},
    {{"NESTBIND_RUNTIME", {"llvm"}, nullptr, into::flag<&Settings::wants_llvm, 0>},
     nullptr,
     {"--runtime", nullptr, "native|llvm[:FILE]",
      "native, the default; llvm: use LLVM's OpenMP runtime in place of GCC's"}},
    {{"NESTBIND_MACHINE",
      {},
      "an XML file or a synthetic description",
      into::text<&Settings::machine>},
     nullptr,
     {"--machine", nullptr, "XML-FILE|SYNTHETIC", "Dry run: plan for this machine, bind nothing"}},
    {{"NESTBIND_MACHINE_DISTANCES",
      {"firmware", "probed"},
      nullptr,
      into::flag<&Settings::probed_distances, 1>},
     "firmware",
     {"--distances", nullptr, "WHICH",
      "Distances between NUMA nodes: firmware or probed; by default NESTBIND_MACHINE_DISTANCES, or "
      "firmware"}},
    {{"NESTBIND_TEAM_SIZES", {"set", "ignore"}, nullptr, into::flag<&Settings::sizes, 0>},
     "set",
     {"--sizes", nullptr, "WHAT",
      "set, the default: set the team sizes, too; ignore: only place the threads"}},
    {{"NESTBIND_STRICT", {"0", "1"}, nullptr, into::flag<&Settings::strict, 1>},
     "0",
     {"--strict", "1", nullptr, "Stop the program if it cannot be bound"}},
    {{"NESTBIND_WORKERS", {"kept", "fresh"}, nullptr, into::flag<&Settings::keep_workers, 0>},
     "kept"},
    {{"NESTBIND_CACHE", {"off"}, ", or the name of a folder, beginning with /", into::cache},
     nullptr},
    {{"NESTBIND_QUIET", {"0", "1"}, nullptr, into::flag<&Settings::quiet, 1>}, "0"},
    {{"NESTBIND_TRACE", {}, "the name of a file", into::text<&Settings::trace>}, nullptr},
    {{"NESTBIND_PUBLISH", {"off"}, ", or the name of a folder, beginning with /", into::publish},
     nullptr},
    {{"NESTBIND_SCHEDULE",
      {},
      "a schedule of loops, such as hybrid",
      into::text<&Settings::schedule>},
     nullptr,
     {"--schedule", nullptr, "SCHEDULE",
      "How loops with schedule(runtime) are shared: native, hybrid or balanced, with options such "
      "as hybrid,f=0.75; SPEC is then optional"}},
    {{"NESTBIND_MEMORY",
      {"advise", "apply"},
      ", also with options and :FILE after it",
      into::text<&Settings::memory>},
     nullptr,
     {"--memory", "advise", nullptr,
      "=advise[,min=SIZE][,seconds=N][,json][:FILE]: watch the program, and report at its end "
      "which large arrays are on the wrong nodes, and what helps; =apply, with the same options: "
      "also interleave arrays that several nodes share; ,scan=fast: the kernel notices sooner "
      "which threads use pages"}},
    {{"NESTBIND_ORDER", {}, "the name of a file", into::text<&Settings::order>},
     nullptr,
     {"--order", nullptr, "FILE",
      "A file from nestbind map with the order of the members on their team's places"}},
    {{"NESTBIND_RANKS",
      {"divide", "shared"},
      ", or LOCAL/OF, such as 0/4: the rank's number on its node, and how many there are",
      into::ranks},
     "divide"},
    {{"NESTBIND_ROOTS", {"first", "divide"}, ", or a number of parts from 1 to 1000", into::roots},
     nullptr,
     {"--roots", nullptr, "first|divide|N",
      "Which root threads have bound teams. first: only the first root thread; divide: all, and "
      "they divide the machine; N: all, in N fixed parts. By default NESTBIND_ROOTS, or divide "
      "with auto"}},
    {{"NESTBIND_QUOTA", {"ignore"}, nullptr, into::flag<&Settings::ignores_quota, 0>}, nullptr},
    {{"NESTBIND_RULES", {}, "the name of a file", into::text<&Settings::rules>},
     nullptr,
     {"--rules", nullptr, "FILE",
      "A file with specifications for single parallel regions (nestbind rules writes a draft); "
      "SPEC is then optional"}},
    {{kOwnThreads, {}, "the value of OMP_NUM_THREADS", into::text<&Settings::own_threads>},
     nullptr},
    {{"NESTBIND_MACHINE_RECORDS",
      {},
      "the name of a folder, beginning with /",
      into::text<&Settings::records>},
     nullptr},
    {{"NESTBIND_STARTED", {}, "the number of a process", into::text<&Settings::started>}, nullptr},
};

// Returns false and changes nothing if the value is wrong.
bool take(const Rule& rule, const char* value, Settings& into);

struct Expected {
  char text[112];
};
Expected expected(const Rule& rule);

struct Faults {
  struct {
    const Rule* rule;
    const char* value;
  } list[kVariables];
  int count = 0;
  const char* refused = nullptr;  // a variable for a feature that is off; null if there is none
};

}  // namespace nestbind::options
