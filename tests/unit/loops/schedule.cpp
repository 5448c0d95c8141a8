// SPDX-License-Identifier: BSD-3-Clause
// Tests the text of a schedule.
#include "helpers.hpp"

namespace nestbind::loops::test {
namespace {

Fault bad(std::string_view text) {
  const Schedule before = good("hybrid,f=0.25,chunk=3,queue=l2");
  Schedule schedule = before;
  Fault fault;
  INFO("text: " << text);
  REQUIRE_FALSE(parse(text, schedule, fault));
  REQUIRE(schedule == before);
  REQUIRE(fault.position <= text.size());
  return fault;
}

// The fault must name the words in `named`, and may name other words, too.
void check_bad(std::string_view text, Error error, std::size_t position,
               const std::vector<std::string>& named = {}) {
  const Fault fault = bad(text);
  INFO("text: " << text);
  CHECK(fault.error == error);
  CHECK(fault.position == position);
  for (const std::string& word : named) {
    CHECK_THAT(std::string(fault.expected), Catch::Matchers::Contains(word));
  }
}

TEST_CASE("a hybrid schedule may have every option", "[loops]") {
  const Schedule schedule =
      good("hybrid,f=0.75,chunk=8,taper,queue=l3,weights=measured,loops=dynamic");
  CHECK(schedule.kind == Kind::kHybrid);
  CHECK(schedule.fraction == 7500);
  CHECK(schedule.static_parts() == 47);
  CHECK(schedule.chunk == 8);
  CHECK(schedule.taper);
  CHECK(schedule.sharing == Sharing::kL3);
  CHECK(schedule.weights == Weights::kMeasured);
  CHECK(schedule.taken == Taken::kDynamic);
}

TEST_CASE("a balanced schedule may have every option", "[loops]") {
  const Schedule schedule = good("balanced,blocks=20,every=5,steal=0.125,alpha=.05,loops=all");
  CHECK(schedule.kind == Kind::kBalanced);
  CHECK(schedule.blocks == 20);
  CHECK(schedule.every == 5);
  CHECK(schedule.steal == 1250);
  CHECK(schedule.alpha == 500);
  CHECK(schedule.taken == Taken::kAll);
  CHECK_FALSE(schedule.has_fraction());
  const Schedule usual = good("balanced");
  CHECK(usual.blocks == 12);
  CHECK(usual.every == 0);
  CHECK(usual.steal == 2500);
  CHECK(usual.alpha == Schedule::kAuto);
  CHECK(good("balanced,blocks=12,every=auto,steal=0.25,alpha=auto") == usual);
  CHECK(printed(good("Balanced , alpha = 0, loops=dynamic, steal=1, every=1, blocks=2")) ==
        "balanced,blocks=2,every=1,steal=1,alpha=0,loops=dynamic");
  CHECK(printed(usual) == "balanced");
}

TEST_CASE("each option belongs to one kind of schedule", "[loops]") {
  const std::vector<std::string> kOfBalanced{"blocks", "every", "steal", "alpha", "loops"};
  for (const char* text : {"balanced,f=1", "balanced,chunk=8", "balanced,taper",
                           "balanced,queue=l3", "balanced,weights=equal", "balanced,"}) {
    check_bad(text, Error::kBadOption, 9, kOfBalanced);
  }
  for (const char* text : {"hybrid,blocks=12", "hybrid,every=1", "hybrid,steal=0"}) {
    check_bad(text, Error::kBadOption, 7, {"chunk", "taper", "queue", "weights", "loops"});
  }
  for (const char* text : {"0", "1", "1025", "-3", "auto", "", "99999999999999999999"}) {
    check_bad("balanced,blocks=" + std::string(text), Error::kBadCount, 16, {"blocks", "1024"});
  }
  for (const char* text : {"0", "1000001", "", "often"}) {
    check_bad("balanced,every=" + std::string(text), Error::kBadCount, 15, {"1000000", "auto"});
  }
  check_bad("balanced,steal=auto", Error::kBadFraction, 15);
  check_bad("balanced,steal=2", Error::kBadFraction, 15);
  check_bad("balanced,alpha=2", Error::kBadFraction, 15, {"auto"});
  check_bad("balanced,steal=0,steal=1", Error::kTwice, 17);
}

TEST_CASE("options that are not given are automatic", "[loops]") {
  const Schedule schedule = good("hybrid");
  CHECK(schedule.kind == Kind::kHybrid);
  CHECK_FALSE(schedule.has_fraction());
  CHECK(schedule.chunk == 0);
  CHECK_FALSE(schedule.taper);
  CHECK(schedule.sharing == Sharing::kThread);
  CHECK(schedule.weights == Weights::kEqual);
  CHECK(schedule.taken == Taken::kRuntime);
  CHECK(good("hybrid,f=auto,chunk=auto") == schedule);
  CHECK(good("native").kind == Kind::kNative);
  CHECK(good("native") == Schedule{});
}

TEST_CASE("case, blanks and the order of options do not matter", "[loops]") {
  CHECK(good(" HYBRID ,\tLoops = ALL , f = .5,Chunk= 16\n") ==
        good("hybrid,f=0.5,chunk=16,loops=all"));
}

TEST_CASE("fractions are numbers from 0 to 1", "[loops]") {
  const auto fraction = [](const std::string& text) { return good("hybrid,f=" + text).fraction; };
  CHECK(fraction("0") == 0);
  CHECK(fraction("1") == 10000);
  CHECK(fraction("01.000000000000000000000") == 10000);
  CHECK(fraction("0.0001") == 1);
  CHECK(fraction("0.99999") == 9999);
  CHECK(fraction("1.") == 10000);
  CHECK(fraction(".125") == 1250);
  CHECK(good("hybrid,f=0").static_parts() == 0);
  CHECK(good("hybrid,f=1").static_parts() == 63);
  CHECK(good("hybrid,f=0.5").static_parts() == 32);
  for (const char* text :
       {"", ".", "-1", "2", "1.0001", "1.00001", "10", "99999999999999999999", "a", "half"}) {
    check_bad("hybrid,f=" + std::string(text), Error::kBadFraction, 9, {"auto"});
  }
  check_bad("hybrid,f=0.5x", Error::kBadSeparator, 12, {"','"});
  check_bad("hybrid,f=0.5.5", Error::kBadSeparator, 12, {"','"});
}

TEST_CASE("every fault has its column and the expected words", "[loops]") {
  check_bad("", Error::kEmpty, 0, {"native", "hybrid", "balanced"});
  check_bad("  ", Error::kEmpty, 2, {"native", "hybrid", "balanced"});
  check_bad("balance", Error::kBadKind, 0, {"native", "hybrid", "balanced"});
  check_bad(" balancedd,blocks=12", Error::kBadKind, 1, {"native", "hybrid", "balanced"});
  for (const char* text : {"static", "Dynamic", "guided,8"}) {
    check_bad(
        text, Error::kBadKind, 0,
        {"native", "hybrid", "balanced", "static", "dynamic", "guided", "runtime", "OMP_SCHEDULE"});
  }
  check_bad("hybrid,f=0,5", Error::kBadFraction, 10, {"comma"});
  check_bad("hybrid,f=0,5,taper", Error::kBadFraction, 10, {"comma"});
  check_bad("hybrid,f=0,", Error::kBadOption, 11, {"chunk", "taper", "queue", "weights", "loops"});
  check_bad("hybridx", Error::kBadKind, 0, {"native", "hybrid", "balanced"});
  check_bad(",hybrid", Error::kBadKind, 0, {"native", "hybrid", "balanced"});
  check_bad("hybrid f=1", Error::kBadSeparator, 7, {"','"});
  check_bad("hybrid;f=1", Error::kBadSeparator, 6, {"','"});
  check_bad("native,f=1", Error::kBadSeparator, 6, {"native"});
  check_bad("hybrid,", Error::kBadOption, 7, {"chunk", "taper", "queue", "weights", "loops"});
  check_bad("hybrid,,f=1", Error::kBadOption, 7, {"chunk", "taper", "queue", "weights", "loops"});
  check_bad("hybrid,fraction=1", Error::kBadOption, 7,
            {"chunk", "taper", "queue", "weights", "loops"});
  check_bad("hybrid,f", Error::kBadSeparator, 8, {"'='"});
  check_bad("hybrid,f:1", Error::kBadSeparator, 8, {"'='"});
  check_bad("hybrid,taper=1", Error::kBadSeparator, 12, {"','"});
  check_bad("hybrid,f=1,taper,f=0", Error::kTwice, 17);
  check_bad("hybrid,taper, taper", Error::kTwice, 14);
  check_bad("hybrid,chunk=0", Error::kBadChunk, 13, {"auto"});
  check_bad("hybrid,chunk=", Error::kBadChunk, 13, {"auto"});
  check_bad("hybrid,chunk=-4", Error::kBadChunk, 13, {"auto"});
  check_bad("hybrid,chunk=1099511627777", Error::kBadChunk, 13, {"1099511627776"});
  check_bad("hybrid,chunk=99999999999999999999999", Error::kBadChunk, 13, {"1099511627776"});
  check_bad("hybrid,queue=core", Error::kBadWord, 13,
            {"thread", "l2", "l3", "numa", "package", "all"});
  check_bad("hybrid,weights=auto", Error::kBadWord, 15, {"equal", "measured"});
  check_bad("hybrid,loops= ", Error::kBadWord, 14, {"runtime", "dynamic", "all"});
  CHECK(good("hybrid,chunk=1099511627776").chunk == kMaxChunk);
}

TEST_CASE("a fault is shown with a caret", "[loops]") {
  const std::string text = "hybrid,queue=core";
  char buffer[256];
  const std::size_t length = describe(text, bad(text), buffer, sizeof buffer);
  const std::string told(buffer, length);
  CHECK_THAT(told, Catch::Matchers::StartsWith("column 14: "));
  CHECK_THAT(told, Catch::Matchers::EndsWith("\n  hybrid,queue=core\n               ^"));
}

TEST_CASE("every error has its own meaning", "[loops]") {
  std::vector<std::string> seen = {"unknown error"};
  for (int error = 0; error < kErrors; ++error) {
    const std::string text = meaning(static_cast<Error>(error));
    INFO(text);
    CHECK(std::find(seen.begin(), seen.end(), text) == seen.end());
    seen.push_back(text);
  }
  CHECK(meaning(static_cast<Error>(kErrors)) == std::string("unknown error"));
}

TEST_CASE("the canonical text contains only options that differ from the defaults", "[loops]") {
  CHECK(printed(good("native")) == "native");
  CHECK(printed(good("hybrid , f=auto, weights=equal")) == "hybrid");
  CHECK(printed(good("hybrid,loops=dynamic,weights=measured,queue=l3,taper,chunk=8,f=0.7500")) ==
        "hybrid,f=0.75,chunk=8,taper,queue=l3,weights=measured,loops=dynamic");
  CHECK(printed(good("hybrid,f=1")) == "hybrid,f=1");
  CHECK(printed(good("hybrid,f=0.0")) == "hybrid,f=0");
  CHECK(printed(good("hybrid,f=.0105")) == "hybrid,f=0.0105");
}

TEST_CASE("the canonical text gives the same schedule again", "[loops]") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    Schedule schedule;
    schedule.kind = Kind::kHybrid;
    schedule.fraction = static_cast<int>(below(random, 10002)) - 1;
    schedule.chunk = random() >> (24 + below(random, 40));
    schedule.taper = below(random, 2) == 0;
    schedule.sharing = static_cast<Sharing>(below(random, 6));
    schedule.weights = static_cast<Weights>(below(random, 2));
    schedule.taken = static_cast<Taken>(below(random, 3));
    CHECK(good(printed(schedule)) == schedule);
  }
}

TEST_CASE("a canonical text is cut to fit any buffer", "[loops]") {
  const Schedule schedule = good("hybrid,f=0.75,queue=numa");
  const std::string whole = printed(schedule);
  CHECK(print(schedule, nullptr, 0) == whole.size());
  for (std::size_t size = 1; size < whole.size() + 3; ++size) {
    std::vector<char> buffer(size + 1, '\x7f');
    CHECK(print(schedule, buffer.data(), size) == whole.size());
    CHECK(std::string(buffer.data()) == whole.substr(0, size - 1));
    CHECK(buffer[size] == '\x7f');
  }
}

}  // namespace
}  // namespace nestbind::loops::test
