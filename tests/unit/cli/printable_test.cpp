// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/printable.hpp"

#include <catch2/catch.hpp>
#include <string>

using nestbind::cli::printable;
using nestbind::cli::shell_quoted;

TEST_CASE("Printable text does not change", "[printable]") {
  for (const char* text : {"", "plain text, \\ and \"quotes\"", "M\u00fcller",
                           "\u20ac \u65e5\u672c", "\U0001F600", "\u00a0"}) {
    CHECK(printable(text) == text);
  }
}

TEST_CASE("Control characters of both sets are escaped", "[printable]") {
  CHECK(printable("a\nb\tc\r") == "a\\x0ab\\x09c\\x0d");
  CHECK(printable(std::string("\0\x1b[2J\x7f", 6)) == "\\x00\\x1b[2J\\x7f");
  CHECK(printable("\u009b31m") == "\\xc2\\x9b31m");
  for (int c = 0; c < 0x20; ++c) {
    CHECK(printable(std::string(1, static_cast<char>(c))).size() == 4);
  }
}

TEST_CASE("Characters that reorder or hide text are escaped", "[printable]") {
  CHECK(printable("a\u202eb") == "a\\xe2\\x80\\xaeb");
  CHECK(printable("\u2028\u2066\u200b\ufeff") ==
        "\\xe2\\x80\\xa8\\xe2\\x81\\xa6\\xe2\\x80\\x8b\\xef\\xbb\\xbf");
}

TEST_CASE("Bytes that are not UTF-8 are escaped one by one", "[printable]") {
  CHECK(printable("\xff") == "\\xff");
  CHECK(printable("\x80") == "\\x80");
  CHECK(printable("a\xc3") == "a\\xc3");                           // cut off
  CHECK(printable("\xc3(") == "\\xc3(");                           // not continued
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // not the shortest form
  CHECK(printable("\xe0\x80\xaf") == "\\xe0\\x80\\xaf");           // not the shortest form
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // half of a surrogate pair
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // after the last character
  CHECK(printable("\xe2\x82\xe2\x82\xac") == "\\xe2\\x82\u20ac");
}

TEST_CASE("a word is quoted for the shell if it needs quotes", "[printable]") {
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("a b$c`d`\\\"\n!*") == "'a b$c`d`\\\"\n!*'");
  CHECK(shell_quoted("it's") == R"('it'\''s')");
}
