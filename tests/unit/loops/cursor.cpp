// SPDX-License-Identifier: BSD-3-Clause
// Tests how a thread gets its iterations of a loop.
#include "loops/cursor.hpp"

#include <random>

#include "helpers.hpp"

namespace nestbind::loops::test {
namespace {

struct OneLoop {
  OneLoop(const Loop& loop, int members)
      : places(neighbours(members)),
        division(loop, own_queues(members)),
        queues(static_cast<std::size_t>(members)),
        victims(static_cast<std::size_t>(members * members)),
        cursors(static_cast<std::size_t>(members)) {
    for (int member = 0; member < members; ++member) {
      order_victims({places.data(), nullptr, 0}, division.grouping(), member,
                    &victims[static_cast<std::size_t>(member * members)]);
    }
  }
  void begin(int member, std::uint64_t generation = 1) {
    cursor(member).begin(division, {queues.data(), &finished},
                         &victims[static_cast<std::size_t>(member) * queues.size()], member,
                         generation);
  }
  Cursor& cursor(int member) { return cursors[static_cast<std::size_t>(member)]; }

  std::vector<Place> places;
  Division division;
  std::vector<Queue> queues;
  Queue finished;
  std::vector<Victim> victims;
  std::vector<Cursor> cursors;
};

std::string name(Source source) {
  const char* const names[] = {"nothing", "block", "own", "other"};
  return names[static_cast<int>(source)];
}

std::string next(Cursor& cursor) {
  Range range{123, 456};
  const Source source = cursor.next(range);
  if (source == Source::kNothing) {
    CHECK(range == Range{123, 456});
    return "nothing";
  }
  return name(source) + " " + std::to_string(range.begin) + "-" + std::to_string(range.end);
}

TEST_CASE("a thread runs its block, its own queue, and then other queues", "[loops]") {
  OneLoop loop({120, 1, 10, 42, false, nullptr}, 4);  // 20 of each share's 30 iterations are static
  loop.begin(1);
  Cursor& cursor = loop.cursor(1);
  CHECK(next(cursor) == "block 30-50");
  CHECK(next(cursor) == "own 50-60");
  CHECK(next(cursor) == "other 20-30");  // the same L2
  CHECK(next(cursor) == "other 80-90");  // the same L3, upward
  CHECK(next(cursor) == "other 110-119");
  CHECK_FALSE(cursor.has_last());
  CHECK(next(cursor) == "other 119-120");  // the piece that is kept for the end
  CHECK(cursor.has_last());
  CHECK(cursor.is_open());
  CHECK(next(cursor) == "nothing");
  CHECK(next(cursor) == "nothing");
  CHECK_FALSE(cursor.is_open());
  const Tally& tally = cursor.tally();
  CHECK(tally.of_block == 20);
  CHECK(tally.of_own_queue == 10);
  CHECK(tally.stolen[static_cast<int>(Distance::kL2)] == 10);
  CHECK(tally.stolen[static_cast<int>(Distance::kL3)] == 20);
  CHECK(tally.total() == 60);
  CHECK(loop.finished.word == word_of(1, 0));
  for (const int member : {0, 2, 3}) {
    loop.begin(member);
    CHECK(next(loop.cursor(member)).substr(0, 5) == "block");
    CHECK(next(loop.cursor(member)) == "nothing");
  }
}

TEST_CASE("a thread steals from the fullest queue of the nearest class", "[loops]") {
  OneLoop loop({320, 1, 10, 0, false, nullptr}, 4);  // queues of 80
  loop.begin(2);
  for (int i = 0; i < 3; ++i) {
    CHECK(next(loop.cursor(2)).substr(0, 3) == "own");
  }
  loop.begin(0);
  for (int i = 0; i < 8; ++i) {
    CHECK(next(loop.cursor(0)).substr(0, 3) == "own");
  }
  for (int i = 0; i < 8; ++i) {
    CHECK(next(loop.cursor(0)) == "other " + std::to_string(80 + 10 * i) + "-" +
                                      std::to_string(90 + 10 * i));  // first from the same L2
  }
  // Member 2 has 50 open iterations, and member 3 has 70.
  CHECK(next(loop.cursor(0)) == "other 240-250");
  CHECK(next(loop.cursor(0)) == "other 250-260");
  CHECK(next(loop.cursor(0)) == "other 190-200");
  CHECK(next(loop.cursor(0)) == "other 260-270");
}

// Computes a member's next piece from the queues. The loop has no blocks.
Range expected(OneLoop& loop, int member, std::uint64_t generation) {
  const auto chunk_of = [&](int queue) {
    Queue copy;
    copy.word = loop.queues[static_cast<std::size_t>(queue)].word.load();
    return copy.take(generation, loop.division, loop.division.span(queue));
  };
  const Range own = chunk_of(member);
  if (!own.is_empty()) {
    return own;
  }
  const std::size_t members = loop.queues.size();
  const Victim* const victims = &loop.victims[static_cast<std::size_t>(member) * members];
  std::uint64_t most = 0;
  int fullest = 0;
  for (std::size_t i = 0; i + 1 < members; ++i) {
    const Span span = loop.division.span(victims[i].queue);
    const std::uint64_t left = loop.queues[victims[i].queue].left(generation, span.open)
                               << span.shift;
    if (left > most) {
      most = left;
      fullest = victims[i].queue;
    }
    if (victims[i].ends_class && most > 0) {
      return chunk_of(fullest);
    }
  }
  return {};
}

TEST_CASE("each chunk follows from the queues' words, in any order of threads", "[loops]") {
  std::mt19937 chance(7);
  const auto below = [&](std::uint64_t end) { return chance() % end; };
  for (std::uint64_t round = 1; round <= 600; ++round) {
    const int members = 2 + static_cast<int>(below(7));
    const std::uint64_t scale = below(4) == 0 ? (std::uint64_t{1} << kTakenBits) / 40 : 1;
    const std::uint64_t iterations = (200 + below(600)) * scale;
    const std::uint64_t chunk = (1 + below(9)) * scale;
    OneLoop loop({iterations, 1 + below(3), chunk, 0, below(8) == 0, nullptr}, members);
    std::vector<bool> is_done(static_cast<std::size_t>(members));
    for (int member = 0; member < members; ++member) {
      loop.begin(member, round);
    }
    std::uint64_t sum = 0;
    for (int left = members; left > 0;) {
      const int member = static_cast<int>(below(1 + below(static_cast<std::uint64_t>(members))));
      for (std::uint64_t times = 1 + below(20); times > 0; --times) {
        const Range next = expected(loop, member, round);
        Range got;
        const Source source = loop.cursor(member).next(got);
        sum += got.size();
        if (!next.is_empty()) {
          REQUIRE(got == next);
        } else if (source != Source::kNothing) {
          REQUIRE(loop.cursor(member).has_last());
        } else if (!is_done[static_cast<std::size_t>(member)]) {
          is_done[static_cast<std::size_t>(member)] = true;
          --left;
        }
      }
    }
    std::uint64_t told = 0;
    for (Cursor& cursor : loop.cursors) {
      told += cursor.tally().total();
    }
    REQUIRE(sum == iterations);
    REQUIRE(told == iterations);
  }
}

TEST_CASE("a loop may have no iterations, one iteration, or one thread", "[loops]") {
  OneLoop none({0, 1, 1, 20, false, nullptr}, 3);
  none.begin(0);
  CHECK(none.cursor(0).is_open());
  CHECK(next(none.cursor(0)) == "nothing");
  CHECK_FALSE(none.cursor(0).is_open());

  OneLoop alone({1000, 1, 1, 0, false, nullptr}, 1);
  alone.begin(0);
  CHECK(next(alone.cursor(0)) == "block 0-1000");
  CHECK(alone.cursor(0).has_last());
  CHECK(next(alone.cursor(0)) == "nothing");

  OneLoop one({1, 1, 1, 0, false, nullptr}, 3);
  for (const int member : {2, 0, 1}) {
    one.begin(member);
    CHECK(next(one.cursor(member)) == (member == 0 ? "block 0-1" : "nothing"));
  }
}

TEST_CASE("a late thread finds only its block", "[loops]") {
  OneLoop loop({100, 1, 5, 32, false, nullptr}, 2);
  for (std::uint64_t generation = 1; generation <= 50; ++generation) {
    loop.begin(0, generation);
    std::uint64_t ran = 0;
    for (Range range; loop.cursor(0).next(range) != Source::kNothing;) {
      ran += range.size();
    }
    CHECK(ran == 75);
  }
  for (std::uint64_t generation = 1; generation <= 50; ++generation) {
    loop.begin(1, generation);
    CHECK(next(loop.cursor(1)) == "block 50-75");
    CHECK(next(loop.cursor(1)) == "nothing");
  }
}

TEST_CASE("a loop that was left by cancellation ends when the next loop begins", "[loops]") {
  OneLoop loop({100, 1, 5, 32, false, nullptr}, 2);
  loop.begin(0, 1);
  CHECK(next(loop.cursor(0)) == "block 0-25");
  CHECK(loop.cursor(0).is_open());
  loop.begin(0, 2);
  CHECK(next(loop.cursor(0)) == "block 0-25");
  CHECK(loop.cursor(0).tally().total() == 25);
  loop.cursor(0).leave();
  CHECK(next(loop.cursor(0)) == "nothing");
}

TEST_CASE("a fully static loop is one block", "[loops]") {
  Cursor cursor;
  cursor.begin_static({10, 20}, 20);
  CHECK(cursor.has_block());
  CHECK(next(cursor) == "block 10-20");
  CHECK(cursor.has_last());
  CHECK(cursor.is_open());
  CHECK(next(cursor) == "nothing");
  CHECK_FALSE(cursor.is_open());
  CHECK(cursor.tally().total() == 10);
  cursor.begin_static({}, 20);
  CHECK_FALSE(cursor.has_block());
  Range range;
  CHECK_FALSE(cursor.next_block(range));
  CHECK(cursor.is_open());
  CHECK(next(cursor) == "nothing");
  CHECK(cursor.tally().total() == 0);
}

TEST_CASE("a cursor that has not begun gives nothing", "[loops]") {
  Cursor cursor;
  CHECK_FALSE(cursor.is_open());
  CHECK(next(cursor) == "nothing");
}

}  // namespace
}  // namespace nestbind::loops::test
