// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "slurm/slurm_request.hpp"

using namespace nestbind::slurm;

TEST_CASE("a specification is kept in canonical form") {
  Request request;
  CHECK_FALSE(request.has_specification());
  CHECK(take_specification(" NUMA , Scatter,core,subcompact@l3", request).empty());
  CHECK(request.specification == "numa,scatter,core,subcompact@l3");
  CHECK(request.levels == 2);
  CHECK(request.has_specification());
  CHECK(request.binds());
}

TEST_CASE("off is a specification that binds nothing") {
  Request request;
  CHECK(take_specification("off", request).empty());
  CHECK(request.specification == "off");
  CHECK(request.has_specification());
  CHECK_FALSE(request.binds());
}

TEST_CASE("the last specification counts") {
  Request request;
  CHECK(take_specification("4,scatter,2,subcompact", request).empty());
  CHECK(take_specification("2,compact", request).empty());
  CHECK(request.specification == "2,compact");
  CHECK(request.levels == 1);
}

TEST_CASE("a bad specification is reported with a caret, and changes nothing") {
  Request request;
  CHECK(take_specification("2,compact", request).empty());
  CHECK(take_specification("4,scater", request) ==
        "bad specification, column 3: missing or unknown strategy, expected scatter, compact, "
        "subscatter or "
        "subcompact\n  4,scater\n    ^");
  CHECK(request.specification == "2,compact");
}

TEST_CASE("an empty specification means no specification") {
  Request request;
  for (const char* text : {"", static_cast<const char*>(nullptr)}) {
    CHECK(take_specification("2,compact", request).empty());
    CHECK(take_specification(text, request).empty());
    CHECK_FALSE(request.has_specification());
  }
}

TEST_CASE("the text of the largest specification is not cut") {
  std::string text;
  for (int level = 0; level < 16; ++level) {
    text += std::string(level == 0 ? "" : ",") + "1,subcompact@package";
  }
  Request request;
  CHECK(take_specification(text.c_str(), request).empty());
  CHECK(request.specification == text);
  CHECK(request.levels == 16);
}

TEST_CASE("a report is a value of NESTBIND_REPORT") {
  Request request;
  CHECK(take_report("json,now:layout-%h-%r", request).empty());
  CHECK(request.report == "json,now:layout-%h-%r");
  CHECK(take_report("xml", request) ==
        "bad report, expected auto, picture, text or json, also with ,now and :FILE after it");
  CHECK_FALSE(take_report("", request).empty());
  CHECK_FALSE(take_report(nullptr, request).empty());
  CHECK(request.report == "json,now:layout-%h-%r");
}
