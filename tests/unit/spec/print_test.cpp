// SPDX-License-Identifier: BSD-3-Clause
// Tests that reading the canonical text gives the same specification.
#include <algorithm>
#include <random>
#include <vector>

#include "helpers.hpp"

namespace nestbind::spec::test {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int number(int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(engine_);
  }

 private:
  std::mt19937 engine_;
};

Level random_level(Random& random, long& threads) {
  Level level;
  const long room = kMaxThreads / threads;
  if (random.number(0, 2) > 0) {
    const int limit = static_cast<int>(std::min(room, random.number(0, 9) > 0 ? 20L : room));
    level.size = random.number(1, limit);
    threads *= level.size;
  } else {
    level.object = static_cast<Kind>(random.number(0, static_cast<int>(Kind::kPackage)));
  }
  level.strategy = static_cast<Strategy>(random.number(0, 3));
  if (takes_domain(level.strategy) && random.number(0, 1) == 1) {
    level.has_domain = true;
    level.domain = static_cast<Kind>(
        random.number(static_cast<int>(Kind::kL2), static_cast<int>(Kind::kBoard)));
  }
  return level;
}

Spec random_spec(Random& random) {
  Spec spec;
  long threads = 1;
  spec.levels = random.number(0, 9) > 0 ? random.number(1, 5) : random.number(1, kMaxLevels);
  for (int i = 0; i < spec.levels; ++i) {
    spec.level[i] = random_level(random, threads);
  }
  return spec;
}

std::string retyped(Random& random, const std::string& text) {
  const auto blanks = [&] {
    std::string some;
    for (int i = random.number(0, 2); i > 0; --i) {
      some += " \t\n\v\f\r"[random.number(0, 5)];
    }
    return some;
  };
  std::string typed = blanks();
  for (const char c : text) {
    if (c == ',' || c == '@') {
      typed += blanks() + c + blanks();
    } else if (c >= 'a' && c <= 'z' && random.number(0, 1) == 1) {
      typed += static_cast<char>(c - 'a' + 'A');
    } else {
      typed += c;
    }
  }
  return typed + blanks();
}

TEST_CASE("the canonical text is in lower case, without blanks", "[spec]") {
  CHECK(printed(good(" 004 , SCATTER ,\n2,SubCompact")) == "4,scatter,2,subcompact");
  CHECK(printed(good("Package,compact,NUMA,subscatter @ Board,l3,subcompact@L2,l2,scatter,"
                     "core,compact,pu,subscatter@package,1,subcompact@l3,1,subcompact@numa")) ==
        "package,compact,numa,subscatter@board,l3,subcompact@l2,l2,scatter,"
        "core,compact,pu,subscatter@package,1,subcompact@l3,1,subcompact@numa");
  CHECK(printed(good("1048576,scatter")) == "1048576,scatter");
}

TEST_CASE("a specification without levels is printed as off", "[spec]") {
  CHECK(printed(Spec()) == "off");
}

TEST_CASE("random specifications stay the same if printed and read", "[spec]") {
  Random random(20100614);
  for (int i = 0; i < 5000; ++i) {
    const Spec spec = random_spec(random);
    const std::string text = printed(spec);
    REQUIRE(good(text) == spec);
    const std::string typed = retyped(random, text);
    REQUIRE(good(typed) == spec);
    REQUIRE(printed(good(typed)) == text);
  }
}

TEST_CASE("the longest specification fits the buffer size for texts", "[spec]") {
  const std::string longest = repeated("package,subcompact@package", kMaxLevels);
  CHECK(longest.size() < kMaxText);
  CHECK(printed(good(longest)) == longest);
}

TEST_CASE("a text is cut to fit any buffer, and its whole length is returned", "[spec]") {
  const std::string text = "4,scatter,numa,subcompact@l3";
  const Spec spec = good(text);
  CHECK(print(spec, nullptr, 0) == text.size());
  for (std::size_t size = 0; size <= text.size() + 3; ++size) {
    std::vector<char> buffer(size + 1, '\x7f');
    INFO("size " << size);
    CHECK(print(spec, buffer.data(), size) == text.size());
    CHECK(buffer[size] == '\x7f');
    if (size > 0) {
      CHECK(std::string(buffer.data()) == text.substr(0, size - 1));
    }
  }
}

TEST_CASE("values outside of the enumerations are printed as ?", "[spec]") {
  CHECK(name(static_cast<Kind>(99)) == std::string("?"));
  CHECK(name(static_cast<Strategy>(99)) == std::string("?"));
}

}  // namespace
}  // namespace nestbind::spec::test
