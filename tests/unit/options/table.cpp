// SPDX-License-Identifier: BSD-3-Clause
#include "options/table.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace nestbind::options;

struct Values {
  const char* name;
  std::vector<std::string> good;
  std::vector<std::string> bad;
};

const std::vector<Values> kValues = {
    {"NESTBIND_BALANCE_ACROSS",
     {"off", "auto", "every=1", "every=1000"},
     {"", "on", "every", "every=", "every=0", "every=1001", "every=2x", "10"}},
    {"NESTBIND_CACHE", {"off", "/", "/run/user/1000"}, {"", "on", "run", "OFF", "./x"}},
    {"NESTBIND_CORES", {"auto", "performance", "efficient", "all"}, {"", "fast", "all ", "Auto"}},
    {"NESTBIND_MACHINE", {"node.xml", "numa:4 core:4 pu:1"}, {""}},
    {"NESTBIND_MACHINE_RECORDS", {"/run/user/1000/nestbind/machines"}, {""}},
    {"NESTBIND_MACHINE_DISTANCES", {"firmware", "probed"}, {"", "slit", "Probed", "probed "}},
    {"NESTBIND_MEMORY", {"advise", "advise,min=64M:a", "apply", "what lib/memory reads"}, {""}},
    {"NESTBIND_RUN", {"1.2;4,2;2;;;"}, {""}},
    {"NESTBIND_STARTED", {"1", "4194304"}, {""}},
    {"NESTBIND_QUIET", {"0", "1"}, {"", "2", "yes", "01", "1 "}},
    {"NESTBIND_REPORT",
     {"auto", "picture", "text", "json", "text:layout", "json:/a/b.%h.%p", "text::", "text,now",
      "json,now:/a", "auto:x,now", "picture,now", "text:,now", "text,now:,now"},
     {"", "tex", "texts", "text:", "yaml", "JSON", ":file", "now", ",now", "text,", "text,no",
      "text,now,now", "text,now:", "textnow", "text;now", "json,now /a"}},
    {"NESTBIND_ORDER", {"order", "/a/b"}, {""}},
    {"NESTBIND_RANKS",
     {"divide", "shared", "0/1", "3/4", "0/999999"},
     {"", "2/2", "/2", "1/", "-1/2", "0/2 ", " 0/2", "0/1/2", "0/1000000", "Shared", "1"}},
    {"NESTBIND_ROOTS",
     {"first", "divide", "1", "4", "1000"},
     {"", "0", "-1", "1001", "4 ", "2/4", "Divide", "all", "shared"}},
    {"NESTBIND_RULES", {"rules", "/a/b"}, {""}},
    {"NESTBIND_REORDER", {"on", "off"}, {"", "1", "On"}},
    {"NESTBIND_TRAFFIC", {"traffic", "/a/b"}, {""}},
    {"NESTBIND_MPI", {"openmpi", "mpich"}, {"", "intel", "Open MPI"}},
    {"NESTBIND_DEVICES", {"gpu", "nic", "gpu,nic"}, {"", "gpus", "nic,gpu"}},
    {"NESTBIND_GIVEN_DEVICES", {"gpu0 gpu1"}, {""}},
    {"NESTBIND_RUNTIME", {"llvm"}, {"", "gcc", "native", "llvm:"}},
    {"NESTBIND_QUOTA", {"ignore"}, {"", "4", "off"}},
    {"NESTBIND_SCHEDULE",
     {"hybrid", "hybrid,f=0.75,chunk=8", "what lib/preload/loops reads"},
     {""}},
    {"NESTBIND_SMT",
     {"1", "2", "8", "1000", "0004"},
     {"", "0", "00", "-1", "1001", "2x", "99999999999999999999"}},
    {"NESTBIND_STRICT", {"0", "1"}, {"", "true"}},
    {"NESTBIND_TEAM_SIZES", {"set", "ignore"}, {"", "keep"}},
    {"NESTBIND_TRACE", {"trace", "/a/b"}, {""}},
    {"NESTBIND_PUBLISH", {"off", "/a/b"}, {"", "on", "a/b"}},
    {"NESTBIND_WORKERS", {"kept", "fresh"}, {"", "keep", "0"}},
};

const Rule& rule_of(const std::string& name) {
  for (const Row& row : kTable) {
    if (name == row.rule.name) {
      return row.rule;
    }
  }
  throw std::runtime_error("no row of " + name);
}

}  // namespace

TEST_CASE("each variable accepts its values only") {
  CHECK(kValues.size() == kVariables);
  for (const Values& values : kValues) {
    const Rule& rule = rule_of(values.name);
    for (const std::string& value : values.good) {
      INFO(values.name << "=" << value);
      Settings settings;
      CHECK(take(rule, value.c_str(), settings));
    }
    for (const std::string& value : values.bad) {
      INFO(values.name << "=" << value);
      Settings settings;
      settings.smt = 7;
      settings.machine = settings.cache = "kept";
      settings.cores = 3;
      CHECK_FALSE(take(rule, value.c_str(), settings));
      CHECK(settings.smt == 7);
      CHECK(settings.machine == std::string("kept"));
      CHECK(settings.cache == std::string("kept"));
      CHECK(settings.cores == 3);
      CHECK(settings.report == ReportFormat::kNone);
      CHECK((settings.sizes && settings.keep_workers));
      CHECK((settings.publishes && settings.publish == std::string(kSharedFolder)));
      CHECK_FALSE((settings.strict || settings.quiet || settings.wants_llvm));
    }
  }
}

TEST_CASE("a user is told the allowed values of a variable") {
  const auto told = [](const char* name) { return std::string(expected(rule_of(name)).text); };
  CHECK(told("NESTBIND_CACHE") == "off, or the name of a folder, beginning with /");
  CHECK(told("NESTBIND_CORES") == "auto, performance, efficient or all");
  CHECK(told("NESTBIND_MACHINE") == "an XML file or a synthetic description");
  CHECK(told("NESTBIND_MACHINE_DISTANCES") == "firmware or probed");
  CHECK(told("NESTBIND_MACHINE_RECORDS") == "the name of a folder, beginning with /");
  CHECK(told("NESTBIND_RUN") == "what nestbind run has found and set");
  CHECK(told("NESTBIND_PUBLISH") == "off, or the name of a folder, beginning with /");
  CHECK(told("NESTBIND_QUIET") == "0 or 1");
  CHECK(told("NESTBIND_REPORT") ==
        "auto, picture, text or json, also with ,now and :FILE after it");
  CHECK(told("NESTBIND_ROOTS") == "first or divide, or a number of parts from 1 to 1000");
  CHECK(told("NESTBIND_RUNTIME") == "llvm");
  CHECK(told("NESTBIND_SCHEDULE") == "a schedule of loops, such as hybrid");
  CHECK(told("NESTBIND_SMT") == "a number from 1 to 1000");
  CHECK(told("NESTBIND_STRICT") == "0 or 1");
  CHECK(told("NESTBIND_TEAM_SIZES") == "set or ignore");
  CHECK(told("NESTBIND_TRACE") == "the name of a file");
  CHECK(told("NESTBIND_WORKERS") == "kept or fresh");
}

TEST_CASE("the default word does not change the settings") {
  const Settings unset;
  for (const Row& row : kTable) {
    Settings settings;
    if (row.unset != nullptr) {
      INFO(row.rule.name);
      CHECK(take(row.rule, row.unset, settings));
      CHECK(settings.strict == unset.strict);
      CHECK(settings.probed_distances == unset.probed_distances);
      CHECK(settings.sizes == unset.sizes);
      CHECK(settings.cores == unset.cores);
      CHECK(settings.quiet == unset.quiet);
      CHECK(settings.keep_workers == unset.keep_workers);
    }
  }
}

TEST_CASE("a value of a variable becomes a setting") {
  Settings settings;
  const auto set = [&](const char* name, const char* value) {
    REQUIRE(take(rule_of(name), value, settings));
  };
  set("NESTBIND_CORES", "efficient");
  CHECK(settings.cores == 2);
  set("NESTBIND_SMT", "0012");
  CHECK(settings.smt == 12);
  set("NESTBIND_REPORT", "json:/a:b");
  CHECK(settings.report == ReportFormat::kJson);
  CHECK(settings.report_file == std::string("/a:b"));
  set("NESTBIND_REPORT", "picture,now:/a,now");
  CHECK(settings.report == ReportFormat::kPicture);
  CHECK(settings.report_now);
  CHECK(settings.report_file == std::string("/a,now"));
  set("NESTBIND_REPORT", "text:b,now");
  CHECK_FALSE(settings.report_now);
  CHECK(settings.report_file == std::string("b,now"));
  set("NESTBIND_REPORT", "auto");
  CHECK(settings.report == ReportFormat::kAuto);
  set("NESTBIND_REPORT", "text");
  CHECK(settings.report == ReportFormat::kText);
  CHECK(settings.report_file == nullptr);
  set("NESTBIND_MACHINE_DISTANCES", "probed");
  CHECK(settings.probed_distances);
  set("NESTBIND_MACHINE_DISTANCES", "firmware");
  CHECK_FALSE(settings.probed_distances);
  set("NESTBIND_TEAM_SIZES", "ignore");
  CHECK_FALSE(settings.sizes);
  set("NESTBIND_WORKERS", "fresh");
  CHECK_FALSE(settings.keep_workers);
  set("NESTBIND_STRICT", "1");
  CHECK(settings.strict);
  set("NESTBIND_QUIET", "1");
  CHECK(settings.quiet);
  set("NESTBIND_RUNTIME", "llvm");
  CHECK(settings.wants_llvm);
  set("NESTBIND_CACHE", "off");
  CHECK(settings.cache == std::string("off"));
  set("NESTBIND_TRACE", "/a/b");
  CHECK(settings.trace == std::string("/a/b"));
  set("NESTBIND_PUBLISH", "/a/b");
  CHECK(settings.publishes);
  CHECK(settings.publish == std::string("/a/b"));
  set("NESTBIND_PUBLISH", "off");
  CHECK_FALSE(settings.publishes);
  CHECK(settings.publish == std::string("/a/b"));  // the variable stays set, because ranks need it
  set("NESTBIND_ORDER", "/a/b");
  CHECK(settings.order == std::string("/a/b"));
  set("NESTBIND_RANKS", "shared");
  CHECK(settings.ranks == Ranks::kShared);
  set("NESTBIND_RANKS", "2/8");
  CHECK(
      (settings.ranks == Ranks::kByHand && settings.local_rank == 2 && settings.local_ranks == 8));
  set("NESTBIND_MACHINE", "pu:4");
  CHECK(settings.machine == std::string("pu:4"));
}

TEST_CASE("NESTBIND_ROOTS sets what root threads do") {
  for (const auto& [value, roots, parts] : {std::tuple{"first", Roots::kFirst, 0},
                                            {"divide", Roots::kDivide, 0},
                                            {"16", Roots::kDivide, 16}}) {
    Settings settings;
    CHECK(settings.roots == Roots::kBySpecification);
    CHECK(take(rule_of("NESTBIND_ROOTS"), value, settings));
    CHECK(settings.roots == roots);
    CHECK(settings.root_parts == parts);
  }
}

TEST_CASE("rows are in the order of the numbers of their variables") {
  const std::vector<std::pair<Variable, std::string>> rows = {{kReport, "REPORT"},
                                                              {kSmt, "SMT"},
                                                              {kCores, "CORES"},
                                                              {kRuntime, "RUNTIME"},
                                                              {kMachine, "MACHINE"},
                                                              {kDistances, "MACHINE_DISTANCES"},
                                                              {kTeamSizes, "TEAM_SIZES"},
                                                              {kStrict, "STRICT"},
                                                              {kWorkers, "WORKERS"},
                                                              {kCache, "CACHE"},
                                                              {kQuiet, "QUIET"},
                                                              {kTrace, "TRACE"},
                                                              {kPublish, "PUBLISH"},
                                                              {kSchedule, "SCHEDULE"},
                                                              {kBalanceAcross, "BALANCE_ACROSS"},
                                                              {kMemory, "MEMORY"},
                                                              {kOrder, "ORDER"},
                                                              {kRanks, "RANKS"},
                                                              {kRoots, "ROOTS"},
                                                              {kQuota, "QUOTA"},
                                                              {kRegionRules, "RULES"},
                                                              {kReorder, "REORDER"},
                                                              {kTraffic, "TRAFFIC"},
                                                              {kMpi, "MPI"},
                                                              {kDevices, "DEVICES"},
                                                              {kRun, "RUN"},
                                                              {kRecords, "MACHINE_RECORDS"},
                                                              {kStarted, "STARTED"},
                                                              {kGivenDevices, "GIVEN_DEVICES"}};
  CHECK(rows.size() == kVariables);
  for (const auto& [variable, name] : rows) {
    CHECK(kTable[variable].rule.name == "NESTBIND_" + name);
  }
}
