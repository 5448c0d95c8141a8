// SPDX-License-Identifier: BSD-3-Clause
#include "support/decimal.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "support/text_cursor.hpp"

using namespace nestbind::support;

namespace {

constexpr std::uint64_t kMost = 1000;

// A zero byte ends the text.
struct Taken {
  std::uint64_t number;
  std::size_t bytes;
  bool operator==(const Taken&) const = default;
};

Taken taken_from(const std::string& text, std::uint64_t most = kMost) {
  const char* at = text.c_str();
  const std::uint64_t number = take_decimal(at, nullptr, most);
  return {number, static_cast<std::size_t>(at - text.c_str())};
}

}  // namespace

TEST_CASE("digits are read up to the first other character") {
  CHECK(taken_from("12") == Taken{12, 2});
  CHECK(taken_from("12,3") == Taken{12, 2});
  CHECK(taken_from("007x") == Taken{7, 3});
  CHECK(taken_from("0") == Taken{0, 1});
}

TEST_CASE("a text that does not begin with a digit is not a number") {
  for (const char* text : {"", " 1", "+1", "-1", "x1"}) {
    CHECK(taken_from(text) == Taken{0, 0});
  }
}

TEST_CASE("a number above the maximum is skipped, and gives the maximum plus one") {
  CHECK(taken_from("1000") == Taken{1000, 4});
  CHECK(taken_from("1001") == Taken{1001, 4});
  CHECK(taken_from("9999 ") == Taken{1001, 4});
  CHECK(taken_from("99999999999999999999999999999999999999990,") == Taken{1001, 41});
  CHECK(taken_from("7", 6) == Taken{7, 1});
  CHECK(taken_from("6", 6) == Taken{6, 1});
  CHECK(taken_from("10", 0) == Taken{1, 2});
}

TEST_CASE("every 64-bit number except the largest can be read") {
  CHECK(taken_from("18446744073709551614", kAnyDecimal) == Taken{UINT64_MAX - 1, 20});
  CHECK(taken_from("18446744073709551615", kAnyDecimal) == Taken{UINT64_MAX, 20});
  CHECK(taken_from("18446744073709551616", kAnyDecimal) == Taken{UINT64_MAX, 20});
  CHECK(taken_from("184467440737095516140", kAnyDecimal) == Taken{UINT64_MAX, 21});
}

TEST_CASE("reading stops at the end of the text") {
  const std::string text = "123456";
  const char* at = text.c_str() + 1;
  CHECK(take_decimal(at, text.c_str() + 3, kMost) == 23);
  CHECK(at == text.c_str() + 3);
  CHECK(take_decimal(at, at, kMost) == 0);
}

TEST_CASE("a whole text must be a number") {
  int number = -1;
  for (const std::string text : {"", "1 ", " 1", "-1", "1x", "1001"}) {
    CHECK_FALSE(read_decimal(text.data(), text.size(), kMost, number));
    CHECK(number == -1);
  }
  CHECK(read_decimal("1000", 4, kMost, number));
  CHECK(number == 1000);
  CHECK(read_decimal("42x", 2, kMost, number));
  CHECK(number == 42);
}

TEST_CASE("a cursor moves past the digits") {
  TextCursor cursor{"a12b", 4, 1};
  CHECK(cursor.take_decimal(kMost) == 12);
  CHECK(cursor.at == 3);
  CHECK(cursor.take_decimal(kMost) == 0);
  CHECK(cursor.at == 3);
}
