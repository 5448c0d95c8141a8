// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <string>

#include "instrument/pomp-library/opari2/pomp2_regions.hpp"

using nestbind::opari2::read_ctc;
using nestbind::opari2::Source;

TEST_CASE("the source of a region is read from its CTC string") {
  Source source;
  REQUIRE(read_ctc("78*regionType=parallel*sscl=/a/b.c:10:10*escl=/a/b.c:22:23*hasIf=1**", source));
  CHECK(source.file == "/a/b.c");
  CHECK(source.first_line == 10);
  CHECK(source.last_line == 23);
}

TEST_CASE("a file's name may have colons, blanks and equals signs") {
  Source source;
  REQUIRE(read_ctc("60*sscl=C:\\x y=1:2.f90:6:7*escl=C:\\x y=1:2.f90:12:12**", source));
  CHECK(source.file == "C:\\x y=1:2.f90");
  CHECK(source.first_line == 6);
  CHECK(source.last_line == 12);
}

TEST_CASE("the text is read only up to its length") {
  std::string text = "38*sscl=a.f:6:6*escl=a.f:12:12**";
  text += "sscl=other.f:1:1*escl=other.f:2:2**";
  Source source;
  REQUIRE(read_ctc(text.c_str(), source));
  CHECK(source.file == "a.f");
  // The length 14 cuts the text before the second location.
  CHECK_FALSE(read_ctc("14*sscl=a.f:6:6*escl=a.f:12:12**", source));
}

TEST_CASE("texts that are not CTC strings change nothing") {
  Source source;
  source.first_line = 4711;
  for (const char* text :
       {"", "*", "12", "x*sscl=a:1:1*escl=a:2:2**", "99999999999*sscl=a:1:1*escl=a:2:2**",
        "30*regionType=parallel**", "30*sscl=a:1*escl=a:2:2**", "30*sscl=a:1:x*escl=a:2:2**",
        "30*sscl=:1*escl=a:2:2**", "30*sscl=a:1:1**", "30*sscl=a::*escl=a:2:2**"}) {
    CAPTURE(text);
    CHECK_FALSE(read_ctc(text, source));
  }
  CHECK_FALSE(read_ctc(nullptr, source));
  CHECK(source.first_line == 4711);
}
