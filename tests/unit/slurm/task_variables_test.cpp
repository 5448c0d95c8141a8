// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "slurm/slurm_request.hpp"

using namespace nestbind::slurm;

namespace {

using Variables = std::vector<Variable>;

const Surroundings kNode = {"/opt/lib/libnestbind.so.0", "", "/home/her", "/dev/shm/cache"};

Request asked(const char* specification) {
  Request request;
  REQUIRE(take_specification(specification, request).empty());
  return request;
}

std::string preload_beside(const char* preload) {
  Surroundings node = kNode;
  node.preload = preload;
  return variables_for(asked("4,scatter"), Whose::kProgram, node).back().value;
}

}  // namespace

TEST_CASE("a program gets the specification and the library") {
  CHECK(variables_for(asked("4,scatter,2,subcompact"), Whose::kProgram, kNode) ==
        Variables{{"OMP_NESTING_TEAM_SIZE", "4,scatter,2,subcompact"},
                  {"KMP_HOT_TEAMS_MAX_LEVEL", "2", false},
                  {"NESTBIND_CACHE", "/dev/shm/cache", false},
                  {"LD_PRELOAD", "/opt/lib/libnestbind.so.0"}});
}

TEST_CASE("a shell gets only the specification") {
  CHECK(variables_for(asked("4,scatter"), Whose::kShell, kNode) ==
        Variables{{"OMP_NESTING_TEAM_SIZE", "4,scatter"},
                  {"KMP_HOT_TEAMS_MAX_LEVEL", "1", false},
                  {"NESTBIND_CACHE", "/dev/shm/cache", false}});
}

TEST_CASE("the report and strictness are passed on, with an absolute file name") {
  Request request = asked("4,scatter");
  request.is_strict = true;
  REQUIRE(take_report("json:layout-%h-%r", request).empty());
  CHECK(variables_for(request, Whose::kShell, {"", "", "/home/her", ""}) ==
        Variables{{"OMP_NESTING_TEAM_SIZE", "4,scatter"},
                  {"KMP_HOT_TEAMS_MAX_LEVEL", "1", false},
                  {"NESTBIND_REPORT", "json:/home/her/layout-%h-%r"},
                  {"NESTBIND_STRICT", "1"}});
  REQUIRE(take_report("text:/dev/stderr", request).empty());
  CHECK(variables_for(request, Whose::kShell, {"", "", "/home/her", ""})[2].value ==
        "text:/dev/stderr");
  REQUIRE(take_report("text", request).empty());
  CHECK(variables_for(request, Whose::kShell, {"", "", "/home/her", ""})[2].value == "text");
}

TEST_CASE("a variable without a value is not set") {
  CHECK(variables_for(Request(), Whose::kProgram, kNode).empty());
  CHECK(variables_for(asked("4,scatter"), Whose::kProgram, {}) ==
        Variables{{"OMP_NESTING_TEAM_SIZE", "4,scatter"}, {"KMP_HOT_TEAMS_MAX_LEVEL", "1", false}});
}

TEST_CASE("off removes the specification and loads nothing") {
  Request request = asked("off");
  request.is_strict = true;
  CHECK(variables_for(request, Whose::kProgram, kNode) ==
        Variables{{"OMP_NESTING_TEAM_SIZE", "off"}});
}

TEST_CASE("sanitizers are preloaded before the library, and other libraries after it") {
  CHECK(preload_beside("/a/liba.so libb.so") == "/opt/lib/libnestbind.so.0:/a/liba.so:libb.so");
  CHECK(preload_beside("liba.so:/usr/lib/libasan.so.8") ==
        "/usr/lib/libasan.so.8:/opt/lib/libnestbind.so.0:liba.so");
  CHECK(preload_beside("/old/libnestbind.so liba.so") == "/opt/lib/libnestbind.so.0:liba.so");
}
