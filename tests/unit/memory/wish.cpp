// SPDX-License-Identifier: BSD-3-Clause
#include "memory/wish/wish.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace nestbind::memory;

namespace {

std::string fault_in(const char* text) {
  Wish wish;
  WishFault fault;
  return parse(text, wish, fault) ? "" : describe(text, fault);
}

Wish good(const char* text) {
  Wish wish;
  WishFault fault;
  REQUIRE(parse(text, wish, fault));
  return wish;
}

}  // namespace

TEST_CASE("a value of NESTBIND_MEMORY is a word, options, and a file after a colon") {
  CHECK(good("advise").least == 8 << 20);
  CHECK_FALSE(good("advise").is_json);
  CHECK(good("advise").file.empty());
  CHECK_FALSE(good("advise").is_scanned_fast);
  CHECK(good("advise,Scan = FAST,json").is_scanned_fast);
  CHECK(good("advise").seconds == 0);
  CHECK(good("advise,seconds=1000000").seconds == 1000000);
  CHECK(good(" Advise , min = 64m ,JSON").least == 64 << 20);
  CHECK(good(" Advise , min = 64m ,JSON").is_json);
  CHECK(good("advise,min=4096").least == 4096);
  CHECK(good("advise,min=4k").least == 4096);
  CHECK(good("advise,min=1024G").least == std::uint64_t{1} << 40);
  CHECK(good("advise:/x/a,b: c").file == "/x/a,b: c");
  CHECK(good("advise,json:m.%p").file == "m.%p");
}

TEST_CASE("a fault in a value of NESTBIND_MEMORY is shown with a caret") {
  CHECK(fault_in("") == "column 1: empty wish, expected advise or apply\n  \n  ^");
  CHECK(fault_in("mend") == "column 1: unknown word, expected advise or apply\n  mend\n  ^");
  CHECK(fault_in("advise,min") ==
        "column 11: missing separator, expected '='\n  advise,min\n            ^");
  CHECK(fault_in("advise,min=1K") ==
        "column 12: not a size, expected a size such as 64M, from 4K to 1024G\n  advise,min=1K\n   "
        "          ^");
  CHECK(fault_in("advise,min=2048G").starts_with("column 12: not a size"));
  CHECK(fault_in("advise,min=99999999999999999999999").starts_with("column 12: not a size"));
  CHECK(fault_in("advise,min=64MB").starts_with("column 12: not a size"));
  CHECK(
      fault_in("advise,seconds=0")
          .starts_with("column 16: not a number of seconds, expected a number from 1 to 1000000"));
  CHECK(fault_in("advise,seconds=1000001").starts_with("column 16: not a number of seconds"));
  CHECK(fault_in("advise,seconds=5s").starts_with("column 16: not a number of seconds"));
  CHECK(
      fault_in("advise,all")
          .starts_with("column 8: missing or unknown option, expected min, seconds, json or scan"));
  CHECK(fault_in("advise,scan=slow").starts_with("column 13: unknown word, expected fast"));
  CHECK(fault_in("advise,json,json").starts_with("column 13: option given twice"));
  CHECK(fault_in("advise json")
            .starts_with("column 8: missing separator, expected ',', ':' and a file"));
  CHECK(fault_in("advise:").starts_with("column 8: no file, expected the name of a file"));
}

TEST_CASE("the word apply moves memory, the word advise does not") {
  CHECK_FALSE(good("advise").is_apply);
  CHECK(good("apply").is_apply);
  CHECK(good(" APPLY , Min=16M,json:x").least == 16 << 20);
  CHECK(good("apply,json").is_json);
  CHECK(good("apply:x").file == "x");
  CHECK(fault_in("apply,always").starts_with("column 7: missing or unknown option"));
}
