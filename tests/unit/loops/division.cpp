// SPDX-License-Identifier: BSD-3-Clause
// Tests that blocks and chunks contain every iteration once, for any loop.
#include "loops/division.hpp"

#include "helpers.hpp"

namespace nestbind::loops::test {
namespace {

// Returns the blocks, the chunks of each queue, and the piece that is kept for the end.
std::vector<Range> pieces_of(const Division& division) {
  std::vector<Range> pieces;
  const auto add = [&](const Range& range) {
    if (!range.is_empty()) {
      pieces.push_back(range);
    }
  };
  for (int member = 0; member < division.grouping().members; ++member) {
    add(division.block(member));
  }
  Range last;
  for (int queue = 0; queue < division.grouping().queues; ++queue) {
    const Span span = division.span(queue);
    const bool holds_back = !division.is_static() && queue == division.last_queue();
    bool is_good = span.units < (std::uint64_t{1} << kTakenBits) && span.open <= span.units &&
                   (span.open < span.units) == holds_back;
    for (std::uint64_t taken = 0; taken < span.open;) {
      std::uint64_t units = division.chunk_at(span, taken);
      is_good = is_good && units >= 1 && taken + units <= span.open;
      units = std::max(units, (span.open - taken) / 50);
      add(division.range(span, taken, taken + units));
      taken += units;
    }
    if (!is_good) {
      FAIL("a span of " << span.units << " units, open " << span.open);
    }
    if (span.open < span.units) {
      last = division.range(span, span.open, span.units);
    }
  }
  add(last);
  return pieces;
}

void check_once(const Loop& loop, const Grouping& grouping) {
  const Division division(loop, grouping);
  const std::vector<Range> pieces = pieces_of(division);
  bool is_right = covers(pieces, loop.iterations);
  is_right = is_right &&
             (division.is_static() || loop.iterations == 0 || pieces.back().end == loop.iterations);
  for (const Range& piece : pieces) {
    is_right = is_right && piece.begin % loop.grain == 0 &&
               (piece.end % loop.grain == 0 || piece.end == loop.iterations);
  }
  if (!is_right) {
    INFO("N " << loop.iterations << ", T " << grouping.members << ", queues " << grouping.queues
              << ", f " << loop.static_parts << ", chunk " << loop.chunk << ", grain " << loop.grain
              << ", taper " << loop.taper << ", weights " << (loop.weights != nullptr));
    CHECK(is_right);
  }
}

struct Groupings {
  explicit Groupings(int members) {
    all.push_back(own_queues(members));
    all.push_back(one_queue(members));
    for (int size = 2; size <= 4 && size < members; ++size) {
      tables.push_back(std::make_unique<std::vector<std::uint16_t>>());
      std::vector<std::uint16_t>& table = *tables.back();
      for (int first = 0; first < members; first += size) {
        table.push_back(static_cast<std::uint16_t>(first));
      }
      const int queues = static_cast<int>(table.size());
      table.push_back(static_cast<std::uint16_t>(members));
      for (int member = 0; member < members; ++member) {
        table.push_back(static_cast<std::uint16_t>(member / size));
      }
      all.push_back({members, queues, table.data(), table.data() + queues + 1});
    }
  }
  std::vector<std::unique_ptr<std::vector<std::uint16_t>>> tables;
  std::vector<Grouping> all;
};

std::vector<std::uint32_t> random_weights(Random& random, int members, bool has_zeros) {
  std::vector<std::uint32_t> weights = {0};
  for (int member = 0; member < members; ++member) {
    const std::uint64_t weight =
        has_zeros && below(random, 3) == 0 ? 0 : 256 + below(random, 65000);
    weights.push_back(weights.back() + static_cast<std::uint32_t>(weight));
  }
  if (weights.back() == 0) {
    weights.back() = 1;
  }
  return weights;
}

TEST_CASE("every iteration of a small loop is in one piece, for all small loops", "[loops]") {
  Random random(2);
  for (int members = 1; members <= 9; ++members) {
    const Groupings groupings(members);
    const auto some = random_weights(random, members, false);
    const auto zeros = random_weights(random, members, true);
    for (const Grouping& grouping : groupings.all) {
      for (std::uint64_t n = 0; n <= 70; ++n) {
        for (const int parts : {0, 1, 16, 32, 47, 62, 63}) {
          for (const std::uint64_t chunk : {1, 2, 8, 1000}) {
            for (const bool taper : {false, true}) {
              for (const std::uint32_t* weights :
                   {static_cast<const std::uint32_t*>(nullptr), some.data(), zeros.data()}) {
                const std::uint64_t grain = (n + chunk) % 5 == 0 ? 3 : 1;
                check_once({n, grain, chunk, parts, taper, weights}, grouping);
              }
            }
          }
        }
      }
    }
  }
}

TEST_CASE("every iteration of a large loop is in one piece, for random loops", "[loops]") {
  Random random(3);
  for (int i = 0; i < 1500; ++i) {
    const int members = 1 + static_cast<int>(below(random, i % 50 == 0 ? 1024 : 40));
    const Groupings groupings(members);
    const auto weights = random_weights(random, members, i % 2 == 0);
    Loop loop;
    loop.iterations =
        i % 7 == 0 ? ~std::uint64_t{0} - below(random, 3) : random() >> below(random, 64);
    loop.grain = i % 3 == 0 ? 1 + (random() >> (20 + below(random, 44))) : 1;
    loop.chunk = 1 + (random() >> (24 + below(random, 40)));
    loop.static_parts = static_cast<int>(below(random, kParts + 1));
    loop.taper = i % 2 == 0;
    loop.weights = below(random, 3) == 0 ? weights.data() : nullptr;
    check_once(loop, groupings.all[below(random, groupings.all.size())]);
  }
}

TEST_CASE("the shares are the shares of a static schedule", "[loops]") {
  // 103 iterations for 4 members give the shares 26 26 26 25.
  const Division all({103, 1, 8, kParts, false, nullptr}, own_queues(4));
  CHECK(all.is_static());
  CHECK(all.block(0) == Range{0, 26});
  CHECK(all.block(1) == Range{26, 52});
  CHECK(all.block(2) == Range{52, 78});
  CHECK(all.block(3) == Range{78, 103});
  CHECK(all.span(0).units == 0);
  // The static fraction is 32/63.
  const Division half({103, 1, 4, 32, false, nullptr}, own_queues(4));
  CHECK(half.block(0) == Range{0, 13});
  CHECK(half.block(3) == Range{78, 90});
  const Span span = half.span(0);
  CHECK(span.units == 13);
  CHECK(half.range(span, 0, half.chunk_at(span, 0)) == Range{13, 17});
  CHECK(half.range(span, 12, 12 + half.chunk_at(span, 12)) == Range{25, 26});
  // One of thirteen units is kept for the end. This is an eighth, rounded down.
  CHECK(half.span(3).units == 13);
  CHECK(half.span(3).open == 12);
}

TEST_CASE("a queue of several members begins after their blocks", "[loops]") {
  const std::uint16_t first[] = {0, 2, 4};
  const std::uint16_t queue_of[] = {0, 0, 1, 1};
  const Division division({126, 1, 8, 31, false, nullptr}, {4, 2, first, queue_of});
  // The shares are 32 32 31 31, and the static fraction is 31/63. Two members together have 64 or
  // 62 iterations. 31 or 30 of them are static, in two blocks.
  CHECK(division.block(0) == Range{0, 16});
  CHECK(division.block(1) == Range{16, 31});
  CHECK(division.block(2) == Range{64, 79});
  CHECK(division.block(3) == Range{79, 94});
  CHECK(division.range(division.span(0), 0, 8) == Range{31, 39});
  CHECK(division.span(0).members == 2);
  CHECK(division.range(division.span(1), 0, 8) == Range{94, 102});
}

TEST_CASE("the paper's mixed schedule has blocks first and then one queue", "[loops]") {
  const Division division({630, 1, 10, 42, false, nullptr}, one_queue(4));
  CHECK(division.block(0) == Range{0, 105});
  CHECK(division.block(3) == Range{315, 420});
  CHECK(division.range(division.span(0), 0, 10) == Range{420, 430});
}

TEST_CASE("a loop with no more iterations than members is static", "[loops]") {
  const std::uint32_t weights[] = {0, 1, 1000, 1001, 1002};
  for (std::uint64_t n = 0; n <= 4; ++n) {
    const Division division({n, 1, 1, 0, false, weights}, own_queues(4));
    CHECK(division.is_static());
    for (int member = 0; member < 4; ++member) {
      const auto number = static_cast<std::uint64_t>(member);
      CHECK(division.block(member) == (number < n ? Range{number, number + 1} : Range{}));
    }
  }
  CHECK_FALSE(Division({5, 1, 1, 0, false, nullptr}, own_queues(4)).is_static());
  CHECK(Division({1000000, 1, 1, 0, false, nullptr}, own_queues(1)).block(0) == Range{0, 1000000});
}

TEST_CASE("an even share is the block of a static schedule", "[loops]") {
  CHECK(even_share(10, 1, 4, 0) == Range{0, 3});
  CHECK(even_share(10, 1, 4, 3) == Range{8, 10});
  CHECK(even_share(10, 3, 4, 3) == Range{9, 10});
  CHECK(even_share(3, 1, 4, 3) == Range{});
  const std::uint64_t most = ~std::uint64_t{0};
  for (const std::uint64_t iterations : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7},
                                         std::uint64_t{64}, std::uint64_t{1000}, most / 2, most}) {
    for (const std::uint64_t grain : {1, 3, 64}) {
      for (int members = 1; members <= 9; ++members) {
        const Division division({iterations, grain, 1, kParts, false, nullptr},
                                own_queues(members));
        for (int member = 0; member < members; ++member) {
          CHECK(even_share(iterations, grain, members, member) == division.block(member));
        }
      }
    }
  }
}

TEST_CASE("weights give the sizes of the shares", "[loops]") {
  const std::uint32_t weights[] = {0, 1, 3, 4};
  const Division division({400, 1, 1, kParts, false, weights}, own_queues(3));
  CHECK(division.block(0) == Range{0, 100});
  CHECK(division.block(1) == Range{100, 300});
  CHECK(division.block(2) == Range{300, 400});
}

TEST_CASE("chunks shrink with the remaining iterations", "[loops]") {
  const Division division({640, 1, 8, 0, true, nullptr}, one_queue(4));
  const Span span = division.span(0);
  CHECK(span.open == 632);
  CHECK(division.chunk_at(span, 0) == 79);
  CHECK(division.chunk_at(span, 312) == 40);
  CHECK(division.chunk_at(span, 600) == 8);
  CHECK(division.chunk_at(span, 630) == 2);
}

TEST_CASE("long queues are counted in larger units", "[loops]") {
  const std::uint64_t n = std::uint64_t{1} << 40;
  const Division division({n, 1, 1, 0, false, nullptr}, own_queues(2));
  const Span span = division.span(0);
  CHECK(span.shift == 17);
  CHECK(division.chunk_at(span, 0) == 1);
  CHECK(division.range(span, 1, 2) == Range{1 << 17, 2 << 17});
  CHECK(division.range(span, span.units - 1, span.units).end == n / 2);
}

TEST_CASE("portions of the largest numbers do not overflow", "[loops]") {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  CHECK(portion(kMost, 63, 63) == kMost);
  CHECK(portion(kMost, 0, 63) == 0);
  CHECK(portion(kMost, 0xfffffffe, 0xffffffff) == 0xfffffffe * (kMost / 0xffffffff));
  CHECK(portion(100, 47, 63) == 74);
}

}  // namespace
}  // namespace nestbind::loops::test
