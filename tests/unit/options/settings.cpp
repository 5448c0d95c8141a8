// SPDX-License-Identifier: BSD-3-Clause
#include "options/settings.hpp"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

#include "options/table.hpp"

using namespace nestbind::options;

TEST_CASE("settings are read from the variables once") {
  unsetenv(kSpecification);
  CHECK_FALSE(specification_is_set());
  setenv(kSpecification, "", 1);
  CHECK_FALSE(specification_is_set());
  setenv(kSpecification, "2,scatter", 1);
  CHECK(specification_is_set());
  CHECK(settings().text == std::string("2,scatter"));

  setenv("NESTBIND_SMT", "2", 1);
  setenv("NESTBIND_QUIET", "yes", 1);
  setenv("NESTBIND_CORES", "", 1);
  setenv("NESTBIND_STRICT", "", 1);
  setenv("OMP_PLACES", "", 1);
  setenv("OMP_PROC_BIND", "FALSE", 1);
  setenv("GOMP_CPU_AFFINITY", "0-3", 1);
  setenv("OMP_DISPLAY_AFFINITY", "True", 1);
  setenv("NESTBIND_MACHINE", "pu:4", 1);
  setenv("NESTBIND_CACHE", "/a/cache", 1);
  setenv("NESTBIND_REPORT", "text:/a/report", 1);
  setenv("NESTBIND_SCHEDULE", std::string(8192, 's').c_str(), 1);
  const Faults faults = read();
  REQUIRE(faults.count == 1);  // an empty variable counts as not set
  CHECK(faults.list[0].rule->name == std::string("NESTBIND_QUIET"));
  CHECK(faults.list[0].value == std::string("yes"));
  CHECK(settings().smt == 2);
  CHECK(settings().cores == 0);
  CHECK_FALSE(settings().quiet);
  CHECK(settings().competing == std::string("GOMP_CPU_AFFINITY"));
  CHECK(settings().display == Display::kAlways);

  // Some programs write their title into the environment's memory.
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (strncmp(*entry, "NESTBIND_", 9) == 0 || strncmp(*entry, kSpecification, 9) == 0) {
      memset(*entry, 'x', strlen(*entry));
    }
  }
  CHECK(settings().text == std::string("2,scatter"));
  CHECK(settings().machine == std::string("pu:4"));
  CHECK(settings().cache == std::string("/a/cache"));
  CHECK(settings().report_file == std::string("/a/report"));
  CHECK(settings().schedule == std::string(8192, 's'));

  setenv("NESTBIND_SMT", "3", 1);
  CHECK(read().count == 0);
  CHECK(settings().smt == 2);
}
