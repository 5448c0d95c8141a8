// SPDX-License-Identifier: BSD-3-Clause
#include "options/site_file.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "options/table.hpp"

using namespace nestbind::options;

namespace {

SiteLine line_of(std::string text) {
  static std::string s_text;
  s_text = std::move(text);
  return read_site_line(s_text.data());
}

}  // namespace

TEST_CASE("a line of the site's file is a default, a feature, a fault, or empty") {
  for (const char* text : {"", "  \t", "# NESTBIND_SMT=2", " #"}) {
    const SiteLine line = line_of(text);
    CHECK((line.fault == nullptr && line.variable < 0 && line.feature < 0));
  }
  for (const char* text : {"NESTBIND_SMT=2", "  NESTBIND_SMT = 2 \r"}) {
    const SiteLine line = line_of(text);
    CHECK(line.variable == kSmt);
    CHECK(line.value == std::string("2"));
    CHECK(line.fault == nullptr);
  }
  for (int i = 0; i < kFeatures; ++i) {
    CHECK(line_of(std::string("off ") + kFeatureNames[i]).feature == i);
    CHECK(line_of(std::string(" off   ") + kFeatureNames[i] + "\t").feature == i);
  }
}

TEST_CASE("a line that a site must not have is a fault") {
  for (const char* text : {"NESTBIND_SMT=x",
                           "NESTBIND_SMT=",
                           "NESTBIND_SMT",
                           "NESTBIND_COLOUR=1",
                           "=",
                           "off",
                           "off ",
                           "off memories",
                           "off workers ranks",
                           "OMP_NESTING_TEAM_SIZE=auto",
                           "OMP_NUM_THREADS=2",
                           "NESTBIND_SCHEDULE=hybrid",
                           "NESTBIND_MEMORY=advise",
                           "NESTBIND_RULES=/a",
                           "NESTBIND_MACHINE=pu:4",
                           "NESTBIND_ORDER=/a",
                           "NESTBIND_RUNTIME=llvm",
                           "NESTBIND_RUN=1",
                           "NESTBIND_STARTED=1",
                           "NESTBIND_MACHINE_RECORDS=/a"}) {
    INFO(text);
    const SiteLine line = line_of(text);
    CHECK(line.fault != nullptr);
    CHECK((line.value == nullptr && line.feature < 0));
  }
}

TEST_CASE("lines are numbered from 1, with or without a final newline") {
  for (const std::string end : {"", "\n"}) {
    std::string text = "# a\n\noff ranks\nx" + end;
    std::vector<int> faults;
    each_site_line(text.data(), [&](int number, const SiteLine& line) {
      CHECK((line.feature >= 0) == (number == 3));
      if (line.fault != nullptr) {
        faults.push_back(number);
      }
    });
    CHECK(faults == std::vector{4});
  }
}
