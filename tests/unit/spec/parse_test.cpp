// SPDX-License-Identifier: BSD-3-Clause
// Good texts.
#include "helpers.hpp"

namespace nestbind::spec::test {
namespace {

TEST_CASE("a level has a size and a strategy", "[spec]") {
  const Spec spec = good("4,scatter,2,subcompact");
  REQUIRE(spec.levels == 2);
  CHECK(spec.level[0].size == 4);
  CHECK(spec.level[0].strategy == Strategy::kScatter);
  CHECK_FALSE(spec.level[0].has_domain);
  CHECK(spec.level[1].size == 2);
  CHECK(spec.level[1].strategy == Strategy::kSubcompact);
  CHECK_FALSE(spec.level[1].has_domain);
}

TEST_CASE("every strategy is read", "[spec]") {
  CHECK(good("1,scatter").level[0].strategy == Strategy::kScatter);
  CHECK(good("1,compact").level[0].strategy == Strategy::kCompact);
  CHECK(good("1,subscatter").level[0].strategy == Strategy::kSubscatter);
  CHECK(good("1,subcompact").level[0].strategy == Strategy::kSubcompact);
}

TEST_CASE("every symbolic size is read", "[spec]") {
  const auto [word, object] = GENERATE(table<std::string, Kind>({
      {"package", Kind::kPackage},
      {"numa", Kind::kNuma},
      {"l3", Kind::kL3},
      {"l2", Kind::kL2},
      {"core", Kind::kCore},
      {"pu", Kind::kPu},
  }));
  const Spec spec = good(word + ",compact");
  CHECK(spec.levels == 1);
  CHECK(spec.level[0].size == 0);
  CHECK(spec.level[0].object == object);
}

TEST_CASE("every domain is read", "[spec]") {
  const auto [word, object] = GENERATE(table<std::string, Kind>({
      {"board", Kind::kBoard},
      {"package", Kind::kPackage},
      {"numa", Kind::kNuma},
      {"l3", Kind::kL3},
      {"l2", Kind::kL2},
  }));
  for (const std::string strategy : {"subscatter", "subcompact"}) {
    const Spec spec = good("3," + strategy + "@" + word + ",2,scatter");
    REQUIRE(spec.levels == 2);
    CHECK(spec.level[0].size == 3);
    CHECK(spec.level[0].has_domain);
    CHECK(spec.level[0].domain == object);
    CHECK_FALSE(spec.level[1].has_domain);
  }
}

TEST_CASE("the word off is a specification without levels", "[spec]") {
  for (const char* text : {"off", "OFF", " Off ", "\toFf\n"}) {
    CHECK(good(text).is_off());
    CHECK(printed(good(text)) == "off");
  }
  CHECK_FALSE(good("1,scatter").is_off());
  for (const char* text : {"offf", "of", "off,", "off off", "off,scatter", "4,scatter,off"}) {
    CHECK(bad(text).error == NESTBIND_BAD_SIZE);
  }
}

TEST_CASE("case does not matter", "[spec]") {
  CHECK(good("NUMA,Scatter,L3,SubCompact@PACKAGE,4,SUBSCATTER@l2") ==
        good("numa,scatter,l3,subcompact@package,4,subscatter@l2"));
}

TEST_CASE("blanks between tokens do not matter", "[spec]") {
  CHECK(good(" 4 ,\tscatter\n,\r\n 2\v,\fsubcompact  @ \t numa \n") ==
        good("4,scatter,2,subcompact@numa"));
}

TEST_CASE("leading zeros do not matter", "[spec]") {
  CHECK(good("0004,scatter") == good("4,scatter"));
  CHECK(good(std::string(1000, '0') + "1048576,scatter").level[0].size == 1048576);
}

TEST_CASE("the largest sizes and the most levels are accepted", "[spec]") {
  CHECK(good("1048576,scatter").level[0].size == kMaxThreads);
  CHECK(good("1024,scatter,1024,subcompact").levels == 2);
  CHECK(good("1048576,scatter,1,compact,numa,compact").levels == 3);
  CHECK(good(repeated("2,scatter", 20)).levels == 20);
  CHECK(good(repeated("1,subcompact@package", 64)).levels == kMaxLevels);
  CHECK(good(repeated("pu,subcompact@package", 64)).levels == kMaxLevels);
}

TEST_CASE("the text need not end with a zero byte", "[spec]") {
  CHECK(good(std::string_view("4,compact,2,scatter", 9)) == good("4,compact"));
}

TEST_CASE("parsing replaces the previous specification", "[spec]") {
  Spec spec = good("7,subcompact@l3,numa,compact");
  Fault fault;
  REQUIRE(parse("4,scatter", spec, fault));
  CHECK(spec == good("4,scatter"));
  CHECK_FALSE(spec == good("4,compact"));
  CHECK_FALSE(spec == good("4,scatter,2,scatter"));
}
}  // namespace

TEST_CASE("a size of \"*\" and the word auto are read", "[spec]") {
  const Spec open = good(" * , scatter, 4,subcompact,*,subcompact@NUMA ");
  CHECK(open.levels == 3);
  CHECK(open.level[0].is_star);
  CHECK(open.level[0].size == 0);
  CHECK_FALSE(open.level[1].is_star);
  CHECK(open.active_levels() == 2);
  const Spec automatic = good(" AUTO ");
  CHECK(automatic.is_auto);
  CHECK(automatic.active_levels() == 0);
  CHECK_FALSE(automatic == good("*,scatter,*,subcompact"));
  CHECK_FALSE(good("*,scatter") == good("core,scatter"));
  CHECK(printed(automatic) == "auto");
  CHECK(printed(open) == "*,scatter,4,subcompact,*,subcompact@numa");
  bad("auto,2,scatter");
  bad("**,scatter");
}

}  // namespace nestbind::spec::test
