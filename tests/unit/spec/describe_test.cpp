// SPDX-License-Identifier: BSD-3-Clause
// Tests the message for a fault.
#include <algorithm>
#include <vector>

#include "helpers.hpp"
#include "spec/spec.hpp"

namespace nestbind::spec::test {
namespace {

using namespace std::string_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

std::string message(std::string_view text) { return described(text, bad(text)); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

void check_headline(const std::string& text, const std::string& column) {
  const Fault fault = bad(text);
  const std::string headline = lines_of(message(text))[0];
  CHECK_THAT(headline, StartsWith("column " + column + ":"));
  CHECK_THAT(headline, Contains(spec::strerror(fault.error)) && EndsWith(fault.expected));
}

TEST_CASE("a message has the column, the fault, the expected words, and a caret", "[spec]") {
  check_headline("4,scatter,2,subcompakt", "13");
  CHECK_THAT(message("4,scatter,2,subcompakt"), EndsWith("\n"
                                                         "  4,scatter,2,subcompakt\n"
                                                         "              ^"));
  check_headline("4,scatter@numa", "10");
  CHECK_THAT(message("4,scatter@numa"), EndsWith("\n"
                                                 "  4,scatter@numa\n"
                                                 "           ^"));
}

TEST_CASE("the caret of a text that ends too early is after the text", "[spec]") {
  check_headline("4,scatter,", "11");
  CHECK_THAT(message("4,scatter,"), EndsWith("\n"
                                             "  4,scatter,\n"
                                             "            ^"));
  check_headline("", "1");
  CHECK_THAT(message(""), EndsWith("\n  \n  ^"));
}

TEST_CASE("blanks are shown as spaces, and unprintable bytes as question marks", "[spec]") {
  const std::string text = "4,\n\tscatter,\0\x1b\xc3\xa9"s;
  check_headline(text, "13");
  CHECK_THAT(message(text), EndsWith("\n"
                                     "  4,  scatter,????\n"
                                     "              ^"));
}

TEST_CASE("a text that just fits is shown whole", "[spec]") {
  const std::string text = "4,scatter," + std::string(86, 'x');
  REQUIRE(text.size() == 96);
  CHECK(lines_of(message(text))[1] == "  " + text);
  CHECK(lines_of(message(text))[2] == std::string(12, ' ') + '^');
  CHECK(lines_of(message(text + "x"))[1] == "  " + text.substr(0, 90) + "...");
}

TEST_CASE("the part of a long text around the fault is shown", "[spec]") {
  const std::string text = repeated("1,scatter", 30) + ",";
  for (std::size_t position = 0; position <= text.size(); ++position) {
    std::string marked = text;
    if (position < text.size()) {
      marked[position] = '#';
    }
    const Fault fault{NESTBIND_BAD_SIZE, position, "something"};
    const std::vector<std::string> lines = lines_of(described(marked, fault));
    INFO("position " << position);
    REQUIRE(lines.size() == 3);
    CHECK_THAT(lines[0], StartsWith("column " + std::to_string(position + 1) + ":"));
    CHECK_THAT(lines[0], EndsWith(" something"));
    CHECK(lines[1].size() <= 99);
    CHECK(lines[2].size() <= 99);
    CHECK(lines[2].find_first_not_of(' ') == lines[2].size() - 1);
    CHECK(lines[2].back() == '^');
    if (position < text.size()) {
      CHECK(lines[1].find('#') == lines[2].size() - 1);
    } else {
      CHECK(lines[1].size() == lines[2].size() - 1);
    }
    const bool begins_late = lines[1].substr(2, 3) == "...";
    const bool ends_early = lines[1].substr(lines[1].size() - 3) == "...";
    const std::size_t begin = begins_late ? 5 : 2;
    const std::size_t end = lines[1].size() - (ends_early ? 3 : 0);
    CHECK(marked.find(lines[1].substr(begin, end - begin)) != std::string::npos);
    CHECK(begins_late == (position > 60));
    CHECK(ends_early == (position < marked.size() - 30));
  }
}

TEST_CASE("a message is cut to fit any buffer", "[spec]") {
  const std::string text = "4,scatter,2,subcompakt";
  const Fault fault = bad(text);
  const std::string whole = described(text, fault);
  CHECK(describe(text, fault, nullptr, 0) == 0);
  for (std::size_t size = 0; size <= whole.size() + 5; ++size) {
    std::vector<char> buffer(size + 1, '\x7f');
    const std::size_t length = describe(text, fault, buffer.data(), size);
    INFO("size " << size);
    CHECK(buffer[size] == '\x7f');
    if (size == 0) {
      CHECK(length == 0);
      continue;
    }
    REQUIRE(length == std::min(size - 1, whole.size()));
    CHECK(buffer[length] == '\0');
    CHECK(std::string(buffer.data()) == whole.substr(0, length));
  }
}

TEST_CASE("the message of every fault has three lines and at most 512 bytes", "[spec]") {
  for (const std::string& text :
       {""s, "x"s, "0"s, "9999999"s, "4"s, "4,scatter@"s, "4,subscatter@"s, "4;"s, "4,scatter;"s,
        "1024,scatter,1025,scatter"s, repeated("1,scatter", 10000)}) {
    CHECK(lines_of(message(text)).size() == 3);
  }
}

TEST_CASE("if a fault belongs to another text, no byte outside of this text is read", "[spec]") {
  const std::string meaning = spec::strerror(NESTBIND_BAD_SIZE);
  CHECK(described("4", {NESTBIND_BAD_SIZE, 100, nullptr}) ==
        "column 2: " + meaning + "\n  4\n   ^");
  CHECK(described("4", {NESTBIND_BAD_SIZE, 0, ""}) == "column 1: " + meaning + "\n  4\n  ^");
}

TEST_CASE("every error has its own meaning", "[spec]") {
  const std::string unknown = spec::strerror(-1);
  std::vector<std::string> seen = {unknown};
  for (int error = NESTBIND_OK; error <= NESTBIND_TURNED_OFF; ++error) {
    const std::string meaning = spec::strerror(error);
    INFO("error " << error << ": " << meaning);
    CHECK(std::find(seen.begin(), seen.end(), meaning) == seen.end());
    CHECK(meaning.find('\n') == std::string::npos);
    CHECK(meaning.back() != '.');
    seen.push_back(meaning);
  }
  CHECK(spec::strerror(NESTBIND_TURNED_OFF + 1) == unknown);
  CHECK(spec::strerror(1000000) == unknown);
}

}  // namespace
}  // namespace nestbind::spec::test
