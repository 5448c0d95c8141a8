// SPDX-License-Identifier: BSD-3-Clause
#include "variables/rules.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace {

using nestbind::variables::rule_of;

struct Values {
  const char* name;
  std::vector<std::string> good;
  std::vector<std::string> bad;
};

const std::vector<Values> kValues = {
    {"NESTBIND_CACHE", {"off", "/", "/run/user/1000"}, {"", "on", "run", "OFF", "./x"}},
    {"NESTBIND_CORES", {"auto", "performance", "efficient", "all"}, {"", "fast", "all ", "Auto"}},
    {"NESTBIND_MACHINE", {"node.xml", "numa:4 core:4 pu:1"}, {""}},
    {"NESTBIND_QUIET", {"0", "1"}, {"", "2", "yes", "01", "1 "}},
    {"NESTBIND_REPORT",
     {"text", "json", "text:layout", "json:/a/b.%h.%p", "text::"},
     {"", "tex", "texts", "text:", "yaml", "JSON", ":file"}},
    {"NESTBIND_RUNTIME", {"llvm"}, {"", "gcc", "native", "llvm:"}},
    {"NESTBIND_SMT",
     {"1", "2", "8", "1000", "0004"},
     {"", "0", "00", "-1", "1001", "2x", "99999999999999999999"}},
    {"NESTBIND_STRICT", {"0", "1"}, {"", "true"}},
    {"NESTBIND_TEAM_SIZES", {"set", "ignore"}, {"", "keep"}},
    {"NESTBIND_WORKERS", {"kept", "fresh"}, {"", "keep", "0"}},
};

}  // namespace

TEST_CASE("each variable takes its values, and no others") {
  for (const Values& values : kValues) {
    const auto* rule = rule_of(values.name);
    REQUIRE(rule != nullptr);
    CHECK(std::string(rule->name) == values.name);
    CHECK(std::string(rule->expected) != "");
    for (const std::string& value : values.good) {
      INFO(values.name << "=" << value);
      CHECK(rule->is_good(value.c_str()));
    }
    for (const std::string& value : values.bad) {
      INFO(values.name << "=" << value);
      CHECK_FALSE(rule->is_good(value.c_str()));
    }
  }
}

TEST_CASE("there is no rule for other names") {
  for (const char* name :
       {"", "NESTBIND", "NESTBIND_", "NESTBIND_QUIETER", "nestbind_quiet", "OMP_PLACES"}) {
    CHECK(rule_of(name) == nullptr);
  }
}
