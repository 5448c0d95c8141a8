// SPDX-License-Identifier: BSD-3-Clause
// One table of nestbind's own variables: their values, and the command's options that set them.
#pragma once

#include "options/said_sizes.hpp"
#include "options/settings.hpp"

namespace nestbind::options {

inline constexpr char kSpecification[] = "OMP_NESTING_TEAM_SIZE";

inline constexpr char kThreads[] = "OMP_NUM_THREADS";

// Other variables that bind threads. The specification wins over these variables.
inline constexpr const char* kCompeting[] = {"OMP_PROC_BIND", "OMP_PLACES", "KMP_AFFINITY",
                                             "GOMP_CPU_AFFINITY"};

// In the order of ReportFormat, which begins with kNone. Character arrays, not pointers, so that
// the loader has nothing to relocate.
inline constexpr char kReportWords[][8] = {"auto", "picture", "text", "json"};

struct Rule {
  const char* name = nullptr;
  const char* words[5] = {};     // with a null at the end
  const char* others = nullptr;  // the other allowed values in words; null if there are none
  // word: the index of the value in `words`, or -1 if `words` has no such value.
  bool (*take)(Settings& into, const char* value, int word) = nullptr;
};

struct Option {
  const char* name = nullptr;
  const char* bare = nullptr;   // the value if the user gives no value; null if one is required
  const char* value = nullptr;  // the word for the value in the help
  const char* help = nullptr;
};

struct Row {
  Rule rule;
  const char* unset = nullptr;  // the word for the default; null if there is no such word
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
bool across(Settings& settings, const char* value, int word);
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
  kBalanceAcross,
  kMemory,
  kOrder,
  kRanks,
  kRoots,
  kQuota,
  kRegionRules,
  kReorder,
  kTraffic,
  kMpi,
  kDevices,
  kRun,
  kRecords,
  kStarted,
  kGivenDevices,
  kVariables
};

inline constexpr Row kTable[kVariables] = {
    {.rule = {.name = "NESTBIND_REPORT",
              .words = {kReportWords[0], kReportWords[1], kReportWords[2], kReportWords[3]},
              .others = ", also with ,now and :FILE after it",
              .take = into::report},
     .option = {.name = "--report",
                .bare = kReportWords[0],
                .help = "=auto|picture|text|json[,now][:FILE]: report each layout, to the "
                        "standard error output or to a file (%h host, %p process, %r rank); now: "
                        "report each team when it is forked"}},
    {.rule = {.name = "NESTBIND_SMT", .others = "a number from 1 to 1000", .take = into::smt},
     .option = {.name = "--smt",
                .value = "N",
                .help = "Threads for each core; by default NESTBIND_SMT, or as many as the teams "
                        "need"}},
    {.rule = {.name = "NESTBIND_CORES",
              .words = {"auto", "performance", "efficient", "all"},
              .take = into::cores},
     .unset = "auto",
     .option = {.name = "--cores",
                .value = "KIND",
                .help = "Cores of a hybrid machine: auto, performance, efficient or all; by "
                        "default NESTBIND_CORES, or auto"}},
    {.rule = {.name = "NESTBIND_RUNTIME",
              .words = {"llvm"},
              .take = into::flag<&Settings::wants_llvm, 0>},
     .option = {.name = "--runtime",
                .value = "native|llvm[:FILE]",
                .help = "native, the default; llvm: use LLVM's OpenMP runtime in place of GCC's"}},
    {.rule = {.name = "NESTBIND_MACHINE",
              .others = "an XML file or a synthetic description",
              .take = into::text<&Settings::machine>},
     .option = {.name = "--machine",
                .value = "XML-FILE|SYNTHETIC",
                .help = "Dry run: plan for this machine, bind nothing"}},
    {.rule = {.name = "NESTBIND_MACHINE_DISTANCES",
              .words = {"firmware", "probed"},
              .take = into::flag<&Settings::probed_distances, 1>},
     .unset = "firmware",
     .option = {.name = "--distances",
                .value = "WHICH",
                .help = "Distances between NUMA nodes: firmware or probed; by default "
                        "NESTBIND_MACHINE_DISTANCES, or firmware"}},
    {.rule = {.name = "NESTBIND_TEAM_SIZES",
              .words = {"set", "ignore"},
              .take = into::flag<&Settings::sizes, 0>},
     .unset = "set",
     .option = {.name = "--sizes",
                .value = "WHAT",
                .help = "set, the default: set the team sizes, too; ignore: only place the "
                        "threads"}},
    {.rule = {.name = "NESTBIND_STRICT",
              .words = {"0", "1"},
              .take = into::flag<&Settings::strict, 1>},
     .unset = "0",
     .option = {.name = "--strict", .bare = "1", .help = "Stop the program if it cannot be bound"}},
    {.rule = {.name = "NESTBIND_WORKERS",
              .words = {"kept", "fresh"},
              .take = into::flag<&Settings::keep_workers, 0>},
     .unset = "kept"},
    {.rule = {.name = "NESTBIND_CACHE",
              .words = {"off"},
              .others = ", or the name of a folder, beginning with /",
              .take = into::cache}},
    {.rule = {.name = "NESTBIND_QUIET",
              .words = {"0", "1"},
              .take = into::flag<&Settings::quiet, 1>},
     .unset = "0"},
    {.rule = {.name = "NESTBIND_TRACE",
              .others = "the name of a file",
              .take = into::text<&Settings::trace>}},
    {.rule = {.name = "NESTBIND_PUBLISH",
              .words = {"off"},
              .others = ", or the name of a folder, beginning with /",
              .take = into::publish}},
    {.rule = {.name = "NESTBIND_SCHEDULE",
              .others = "a schedule of loops, such as hybrid",
              .take = into::text<&Settings::schedule>},
     .option = {.name = "--schedule",
                .value = "SCHEDULE",
                .help = "How loops with schedule(runtime) are shared: native, hybrid or balanced,"
                        " with options such as hybrid,f=0.75; SPEC is then optional"}},
    {.rule = {.name = "NESTBIND_BALANCE_ACROSS",
              .words = {"auto", "off"},
              .others = ", or every=N, such as every=10",
              .take = into::across},
     .unset = "auto"},
    {.rule = {.name = "NESTBIND_MEMORY",
              .words = {"advise", "apply"},
              .others = ", also with options and :FILE after it",
              .take = into::text<&Settings::memory>},
     .option = {.name = "--memory",
                .bare = "advise",
                .help = "=advise[,min=SIZE][,seconds=N][,json][:FILE]: watch the program, and "
                        "report at its end which large arrays are on the wrong nodes, and what "
                        "helps; =apply, with the same options: also interleave arrays that "
                        "several nodes share; ,scan=fast: the kernel notices sooner which threads"
                        " use pages"}},
    {.rule = {.name = "NESTBIND_ORDER",
              .others = "the name of a file",
              .take = into::text<&Settings::order>},
     .option = {.name = "--order",
                .value = "FILE",
                .help = "A file from nestbind map with the order of the members on their team's "
                        "places"}},
    {.rule =
         {.name = "NESTBIND_RANKS",
          .words = {"divide", "shared"},
          .others =
              ", or LOCAL/OF, such as 0/4: the rank's number on its node, and how many there are",
          .take = into::ranks},
     .unset = "divide"},
    {.rule = {.name = "NESTBIND_ROOTS",
              .words = {"first", "divide"},
              .others = ", or a number of parts from 1 to 1000",
              .take = into::roots},
     .option = {.name = "--roots",
                .value = "first|divide|N",
                .help = "Which root threads have bound teams. first: only the first root thread; "
                        "divide: all, and they divide the machine; N: all, in N fixed parts. By "
                        "default NESTBIND_ROOTS, or divide with auto"}},
    {.rule = {.name = "NESTBIND_QUOTA",
              .words = {"ignore"},
              .take = into::flag<&Settings::ignores_quota, 0>}},
    {.rule = {.name = "NESTBIND_RULES",
              .others = "the name of a file",
              .take = into::text<&Settings::rules>},
     .option = {.name = "--rules",
                .value = "FILE",
                .help = "A file with specifications for single parallel regions (nestbind rules "
                        "writes a draft); SPEC is then optional"}},
    {.rule = {.name = "NESTBIND_REORDER",
              .words = {"on", "off"},
              .take = into::flag<&Settings::reorders, 0>},
     .unset = "off",
     .option = {.name = "--reorder",
                .bare = "on",
                .help = "MPI_Cart_create and the functions for graphs reorder the ranks if the "
                        "program allows it; SPEC is then optional"}},
    {.rule = {.name = "NESTBIND_TRAFFIC",
              .others = "the name of a folder",
              .take = into::text<&Settings::traffic>},
     .option = {.name = "--traffic",
                .value = "FOLDER",
                .help = "Each MPI rank writes a file into this folder: how much it has sent to "
                        "which rank, for nestbind map; SPEC is then optional"}},
    {.rule = {.name = "NESTBIND_MPI",
              .words = {"openmpi", "mpich"},
              .take = into::text<&Settings::mpi>}},
    {.rule = {.name = "NESTBIND_DEVICES",
              .words = {"gpu", "nic", "gpu,nic"},
              .take = into::text<&Settings::devices>},
     .option = {.name = "--devices",
                .value = "gpu[,nic]",
                .help = "Give each rank of a node the GPUs (and network cards) nearest to its "
                        "processors, by CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES, "
                        "ZE_AFFINITY_MASK and UCX_NET_DEVICES"}},
    {.rule = {.name = kRunName,
              .others = "what nestbind run has found and set",
              .take = into::text<&Settings::run>}},
    {.rule = {.name = "NESTBIND_MACHINE_RECORDS",
              .others = "the name of a folder, beginning with /",
              .take = into::text<&Settings::records>}},
    {.rule = {.name = "NESTBIND_STARTED",
              .others = "the number of a process",
              .take = into::text<&Settings::started>}},
    {.rule = {.name = "NESTBIND_GIVEN_DEVICES",
              .others = "what nestbind run has given this rank",
              .take = into::text<&Settings::given_devices>}},
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
