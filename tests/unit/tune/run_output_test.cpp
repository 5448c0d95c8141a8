// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/run_output.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "cli/tune/tune_progress.hpp"

using namespace nestbind::cli::tune;

namespace {

class File {
 public:
  explicit File(const std::string& text) {
    char name[] = "/tmp/nestbind-output-XXXXXX";
    const int number = mkstemp(name);
    REQUIRE(write(number, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    close(number);
    name_ = name;
  }
  ~File() { unlink(name_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

LinePattern pattern(const std::string& text) {
  std::string fault;
  const auto made = LinePattern::of(text, 0, fault);
  REQUIRE(made);
  return *made;
}

}  // namespace

TEST_CASE("the last matching line of the first file with a match counts") {
  const File output("rate: 1\nrate: 2.5e3 \nrates: 9\nlast");
  const File error("rate: 7\nlast: 8");
  const auto rate = pattern("^rate: (.*)$");
  CHECK(last_number(rate, {output.name(), error.name()}) == 2500);
  CHECK(last_number(rate, {error.name(), output.name()}) == 7);
  CHECK(last_number(pattern("^last: ([0-9])"), {output.name(), error.name()}) == 8);
  CHECK(last_number(pattern("none (.)"), {output.name(), error.name()}) == std::nullopt);
  CHECK(last_number(rate, {"/nowhere", error.name()}) == 7);
}

TEST_CASE("texts that are not numbers are rejected") {
  for (const char* text : {"", "x", "1x", "nan", "inf", "-inf", "1 2"}) {
    CHECK(number_of(text) == std::nullopt);
  }
  CHECK(number_of(" -1.5 \t") == -1.5);
  CHECK(number_of("1e-3") == 0.001);
}

TEST_CASE("expressions are compiled, or their fault is given") {
  std::string fault;
  CHECK(!LinePattern::of("(", 0, fault));
  CHECK_FALSE(fault.empty());
  CHECK(!LinePattern::of("no group", 1, fault));
  CHECK(LinePattern::of("(a)|b", 1, fault));
  const auto either = pattern("(a)|b");
  CHECK(either.first_group("xa") == "a");
  CHECK(either.first_group("b") == std::nullopt);  // the match does not contain the group
  CHECK(either.matches("b"));
}

TEST_CASE("matching lines of all files are compared") {
  const File output(std::string("sum 1\nother\nsum 2\0 hidden\n", 25));
  const File error("a sum\n");
  CHECK(matching_lines(pattern("sum"), {output.name(), error.name()}) ==
        std::vector<std::string>{"sum 1", "sum 2", "a sum"});
}

TEST_CASE("durations are read and printed") {
  CHECK(read_duration("90") == 90);
  CHECK(read_duration("1.5m") == 90);
  CHECK(read_duration("2h") == 7200);
  CHECK(read_duration("3s") == 3);
  for (const char* text : {"", "m", "0", "-1", "1d", "1 m", "inf", "nan"}) {
    CHECK(read_duration(text) == std::nullopt);
  }
  CHECK(duration(0.04) == "40 ms");
  CHECK(duration(9.94) == "9.9 s");
  CHECK(duration(9.96) == "10 s");
  CHECK(duration(59.6) == "1 min 0 s");
  CHECK(duration(3725) == "1 h 2 min");
  CHECK(figure(0.123456) == "0.1235");
  CHECK(figure(12.3456) == "12.35");
  CHECK(figure(123456.7) == "123457");
}
