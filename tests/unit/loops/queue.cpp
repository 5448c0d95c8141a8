// SPDX-License-Identifier: BSD-3-Clause
// Tests the word that contains a queue's state.
#include "helpers.hpp"
#include "loops/cursor.hpp"

namespace nestbind::loops::test {
namespace {

// Two queues of 100 dynamic iterations. The second queue keeps 8 iterations for the end.
const Division kDivision({200, 1, 8, 0, false, nullptr}, own_queues(2));

TEST_CASE("a queue's word is read according to the reader's generation", "[loops]") {
  const std::uint64_t word = word_of(7, 40);
  CHECK(taken(word, 7, 100) == 40);
  CHECK(taken(word, 8, 100) == 0);    // no thread has begun the loop with generation 8
  CHECK(taken(word, 6, 100) == 100);  // a thread has left loop 6, and begun loop 7
}

TEST_CASE("generations are compared correctly after they wrap around", "[loops]") {
  for (const std::uint64_t generation :
       {std::uint64_t{0}, std::uint64_t{1}, kGenerations / 2 - 1, kGenerations / 2,
        kGenerations - 1, kGenerations, 5 * kGenerations - 1}) {
    INFO(generation);
    const std::uint64_t word = word_of(generation, 3);
    CHECK(age(word, generation) == 0);
    for (const std::uint64_t step : {std::uint64_t{1}, std::uint64_t{1000}, kGenerations / 2 - 1}) {
      CHECK(age(word, generation + step) < 0);
      CHECK(age(word, generation - step) > 0);
    }
  }
}

TEST_CASE("iterations are taken from a queue in rising order, up to its end", "[loops]") {
  for (const std::uint64_t generation : {std::uint64_t{1}, kGenerations - 1, kGenerations}) {
    Queue queue;
    queue.word = word_of(generation - 1, 77);
    const Span span = kDivision.span(0);
    CHECK(queue.left(generation, span.open) == 100);
    CHECK(queue.take(generation, kDivision, span) == Range{0, 8});
    CHECK(queue.take(generation, kDivision, span) == Range{8, 16});
    CHECK(queue.left(generation, span.open) == 84);
    for (int i = 2; i < 12; ++i) {
      CHECK(queue.take(generation, kDivision, span).size() == 8);
    }
    CHECK(queue.take(generation, kDivision, span) == Range{96, 100});
    CHECK(queue.take(generation, kDivision, span).is_empty());
    CHECK(queue.left(generation, span.open) == 0);
    CHECK(queue.word == word_of(generation, 100));
    CHECK(queue.take_last(generation, kDivision, span).is_empty());
    CHECK(queue.take(generation + 1, kDivision, span) == Range{0, 8});
    CHECK(queue.take(generation, kDivision, span).is_empty());
    CHECK(queue.left(generation, span.open) == 0);
    CHECK(queue.word == word_of(generation + 1, 8));
  }
}

TEST_CASE("the iterations that are held back are given once, separately", "[loops]") {
  Queue queue;
  const Span span = kDivision.span(1);
  CHECK(span.open == 92);
  for (int i = 0; i < 12; ++i) {
    CHECK(queue.take(1, kDivision, span).end <= 192);
  }
  CHECK(queue.take(1, kDivision, span).is_empty());
  CHECK(queue.take_last(1, kDivision, span) == Range{192, 200});
  CHECK(queue.take_last(1, kDivision, span).is_empty());
  CHECK(queue.take_last(0, kDivision, span).is_empty());
}

TEST_CASE("an old word is renewed before it could look like a new word", "[loops]") {
  Queue queue;
  queue.word = word_of(5, 9);
  queue.renew(5 + kRenewal);
  CHECK(queue.word == word_of(5, 9));
  queue.renew(6 + kRenewal);
  CHECK(queue.word == word_of(5 + kRenewal, 0));
  queue.word = word_of(9, 9);
  queue.renew(7);  // a newer word stays
  CHECK(queue.word == word_of(9, 9));
  queue.word = word_of(kGenerations - 1, 3);
  queue.renew(kGenerations + 2 * kRenewal);
  CHECK(queue.word == word_of(2 * kRenewal - 1, 0));
}

}  // namespace
}  // namespace nestbind::loops::test
