// SPDX-License-Identifier: BSD-3-Clause
// Tests the error, the position and the allowed words of bad texts.
#include <regex>
#include <set>
#include <vector>

#include "helpers.hpp"

namespace nestbind::spec::test {
namespace {

using namespace std::string_literals;

using Words = std::set<std::string>;

const Words kSizes = {"'*'", "package", "numa", "l3", "l2", "core", "pu"};
const Words kStrategies = {"scatter", "compact", "subscatter", "subcompact"};
const Words kDomains = {"board", "package", "numa", "l3", "l2"};
const Words kOthers = {"auto", "off", "','", "'@'", "1", "64", "1048576"};

struct Case {
  std::string text;
  nestbind_error error;
  std::size_t position;
  Words expected;
};

Words named_in(const std::string& sentence) {
  const std::regex word("'.'|\\w+");
  Words named;
  for (std::sregex_iterator at(sentence.begin(), sentence.end(), word), end; at != end; ++at) {
    for (const Words* some : {&kSizes, &kStrategies, &kDomains, &kOthers}) {
      if (some->contains(at->str())) {
        named.insert(at->str());
      }
    }
  }
  return named;
}

void check(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const Fault fault = bad(one.text);
    INFO("text: " << one.text);
    CHECK(fault.error == one.error);
    CHECK(fault.position == one.position);
    CHECK(named_in(fault.expected) == one.expected);
  }
}

TEST_CASE("a text without a level is a fault", "[spec]") {
  const Words example = {"auto", "off", "scatter"};
  check({
      {"", NESTBIND_EMPTY, 0, example},
      {" ", NESTBIND_EMPTY, 1, example},
      {" \t\r\n", NESTBIND_EMPTY, 4, example},
  });
  const std::string expected = bad("").expected;
  good(expected.substr(expected.rfind(' ')));
  CHECK(bad(std::string_view()).error == NESTBIND_EMPTY);
}

TEST_CASE("a level without a team size is a fault", "[spec]") {
  check({
      {",", NESTBIND_BAD_SIZE, 0, kSizes},
      {"scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"4,scatter,", NESTBIND_BAD_SIZE, 10, kSizes},
      {"4,scatter, \n", NESTBIND_BAD_SIZE, 12, kSizes},
      {"4,scatter,,2,compact", NESTBIND_BAD_SIZE, 10, kSizes},
      {"4,scatter, cores,compact", NESTBIND_BAD_SIZE, 11, kSizes},
      {"board,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"l1,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"l 3,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"l33,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"numa_,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"p,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"+4,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"-,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"- 4,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"-x,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {".5,scatter", NESTBIND_BAD_SIZE, 0, kSizes},
      {"\"4,scatter\"", NESTBIND_BAD_SIZE, 0, kSizes},
      {repeated("1,scatter", 64) + ",", NESTBIND_BAD_SIZE, 640, kSizes},
  });
}

TEST_CASE("a team size that is not positive is a fault", "[spec]") {
  check({
      {"0,scatter", NESTBIND_SIZE_NOT_POSITIVE, 0, {"1"}},
      {"000", NESTBIND_SIZE_NOT_POSITIVE, 0, {"1"}},
      {"4,scatter, 0,compact", NESTBIND_SIZE_NOT_POSITIVE, 11, {"1"}},
      {"4,scatter,-3,compact", NESTBIND_SIZE_NOT_POSITIVE, 10, {"1"}},
      {"-0,scatter", NESTBIND_SIZE_NOT_POSITIVE, 0, {"1"}},
      {"-99999999999999999999,scatter", NESTBIND_SIZE_NOT_POSITIVE, 0, {"1"}},
  });
}

TEST_CASE("a team size that is too large is a fault", "[spec]") {
  const Words most = {"1048576"};
  check({
      {"1048577,scatter", NESTBIND_SIZE_TOO_LARGE, 0, most},
      {"4,scatter,10000000,scatter", NESTBIND_SIZE_TOO_LARGE, 10, most},
      {"4294967297,scatter", NESTBIND_SIZE_TOO_LARGE, 0, most},             // 2^32 + 1
      {" 18446744073709551617,scatter", NESTBIND_SIZE_TOO_LARGE, 1, most},  // 2^64 + 1
      {std::string(5000, '9'), NESTBIND_SIZE_TOO_LARGE, 0, most},
      {"1048576,scatter,2,compact", NESTBIND_SIZE_TOO_LARGE, 16, most},
      {"1024,scatter,numa,compact,1025,compact", NESTBIND_SIZE_TOO_LARGE, 26, most},
      {"1048576,scatter,1048576,compact", NESTBIND_SIZE_TOO_LARGE, 16, most},
      {repeated("2,scatter", 21), NESTBIND_SIZE_TOO_LARGE, 200, most},
  });
}

TEST_CASE("a team size without a strategy is a fault", "[spec]") {
  Words comma_too = kStrategies;
  comma_too.insert("','");
  check({
      {"4", NESTBIND_BAD_STRATEGY, 1, comma_too},
      {"numa \t", NESTBIND_BAD_STRATEGY, 6, comma_too},
      {"4,", NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"4, ", NESTBIND_BAD_STRATEGY, 3, kStrategies},
      {"4,,scatter", NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"4,2,scatter", NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"4,@numa", NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"4,scat", NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"4,scatters", NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"4, sub scatter", NESTBIND_BAD_STRATEGY, 3, kStrategies},
      {"4,sub-scatter", NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"4,close", NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"4,numa", NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"4,scatter,2,subcompakt", NESTBIND_BAD_STRATEGY, 12, kStrategies},
  });
}

TEST_CASE("a domain after scatter or compact is a fault", "[spec]") {
  const Words expected = {"','", "subscatter", "subcompact"};
  check({
      {"4,scatter@numa", NESTBIND_DOMAIN_ON_PLAIN, 9, expected},
      {"4,compact @ numa", NESTBIND_DOMAIN_ON_PLAIN, 10, expected},
      {"2,subscatter@l3,4,scatter@", NESTBIND_DOMAIN_ON_PLAIN, 25, expected},
  });
}

TEST_CASE("a bad domain is a fault", "[spec]") {
  check({
      {"4,subscatter@", NESTBIND_BAD_DOMAIN, 13, kDomains},
      {"4,subscatter@ ", NESTBIND_BAD_DOMAIN, 14, kDomains},
      {"4,subscatter@core", NESTBIND_BAD_DOMAIN, 13, kDomains},
      {"4,subscatter@ pu", NESTBIND_BAD_DOMAIN, 14, kDomains},
      {"4,subcompact@machine,2,scatter", NESTBIND_BAD_DOMAIN, 13, kDomains},
      {"4,subcompact@,2,scatter", NESTBIND_BAD_DOMAIN, 13, kDomains},
      {"4,subcompact@@numa", NESTBIND_BAD_DOMAIN, 13, kDomains},
      {"4,subcompact@numa0", NESTBIND_BAD_DOMAIN, 13, kDomains},
      {"4,subcompact@4", NESTBIND_BAD_DOMAIN, 13, kDomains},
  });
}

TEST_CASE("a missing comma after a team size is a fault", "[spec]") {
  check({
      {"4 scatter", NESTBIND_BAD_SEPARATOR, 2, {"','"}},
      {"4scatter", NESTBIND_BAD_SEPARATOR, 1, {"','"}},
      {"4x,scatter", NESTBIND_BAD_SEPARATOR, 1, {"','"}},
      {"4.5,scatter", NESTBIND_BAD_SEPARATOR, 1, {"','"}},
      {"1 0,scatter", NESTBIND_BAD_SEPARATOR, 2, {"','"}},
      {"4;scatter", NESTBIND_BAD_SEPARATOR, 1, {"','"}},
      {"4@numa,scatter", NESTBIND_BAD_SEPARATOR, 1, {"','"}},
      {"l2-3,scatter", NESTBIND_BAD_SEPARATOR, 2, {"','"}},
  });
}

TEST_CASE("a missing comma after a level is a fault", "[spec]") {
  check({
      {"4,scatter;2,compact", NESTBIND_BAD_SEPARATOR, 9, {"','"}},
      {"4,scatter 2,compact", NESTBIND_BAD_SEPARATOR, 10, {"','"}},
      {"4,scatter.", NESTBIND_BAD_SEPARATOR, 9, {"','"}},
      {"4,subscatter numa", NESTBIND_BAD_SEPARATOR, 13, {"','", "'@'"}},
      {"4,subscatter@numa@l3", NESTBIND_BAD_SEPARATOR, 17, {"','"}},
      {"4,subscatter@numa l3", NESTBIND_BAD_SEPARATOR, 18, {"','"}},
  });
}

TEST_CASE("too many levels are a fault", "[spec]") {
  check({
      {repeated("1,scatter", 65), NESTBIND_TOO_MANY_LEVELS, 640, {"64"}},
      {repeated("1,scatter", 64) + ", x", NESTBIND_TOO_MANY_LEVELS, 641, {"64"}},
      {repeated("1,scatter", 10000), NESTBIND_TOO_MANY_LEVELS, 640, {"64"}},
      {repeated("core,subcompact@l2", 10000), NESTBIND_TOO_MANY_LEVELS, 64 * 19, {"64"}},
  });
}

TEST_CASE("binary bytes are faults", "[spec]") {
  check({
      {"\0"s, NESTBIND_BAD_SIZE, 0, kSizes},
      {"4,scatter\0"s, NESTBIND_BAD_SEPARATOR, 9, {"','"}},
      {"4\0,scatter"s, NESTBIND_BAD_SEPARATOR, 1, {"','"}},
      {"4,sc\0atter"s, NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"4,subscatter@\0numa"s, NESTBIND_BAD_DOMAIN, 13, kDomains},
      {"4,\xc3\xa9scatter", NESTBIND_BAD_STRATEGY, 2, kStrategies},
      {"\xef\xbb\xbf"
       "4,scatter",
       NESTBIND_BAD_SIZE, 0, kSizes},                             // a byte order mark
      {"4\xc2\xa0,scatter", NESTBIND_BAD_SEPARATOR, 1, {"','"}},  // a no-break space
      {"4,scatter\x85", NESTBIND_BAD_SEPARATOR, 9, {"','"}},      // a blank in some locales
      {"4,\xe2\x84\xaascatter", NESTBIND_BAD_STRATEGY, 2, kStrategies},
  });
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool is_blank = c == ' ' || (c >= '\t' && c <= '\r');
    Spec spec;
    Fault fault;
    INFO("byte " << byte);
    CHECK(parse("4,scatter"s + c, spec, fault) == is_blank);
    CHECK(parse(c + "4,scatter"s, spec, fault) == (is_blank || (c >= '0' && c <= '9')));
  }
}

TEST_CASE("a good text's prefix is good only at the end of a level", "[spec]") {
  const std::string text = "4,scatter, 12 ,subcompact @ Numa,core,subscatter@board,l3,compact";
  const auto is_end_of_level = [&](std::size_t length) {
    const std::string prefix = text.substr(0, length);
    const std::vector<std::string> good_prefixes = {
        "4,scatter",
        "4,scatter, 12 ,subcompact",
        "4,scatter, 12 ,subcompact ",
        "4,scatter, 12 ,subcompact @ Numa",
        "4,scatter, 12 ,subcompact @ Numa,core,subscatter",
        "4,scatter, 12 ,subcompact @ Numa,core,subscatter@board",
        text,
    };
    for (const std::string& one : good_prefixes) {
      if (one == prefix) {
        return true;
      }
    }
    return false;
  };
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const std::string_view prefix = std::string_view(text).substr(0, length);
    if (is_end_of_level(length)) {
      good(prefix);
    } else {
      bad(prefix);
    }
  }
}

}  // namespace
}  // namespace nestbind::spec::test
