// SPDX-License-Identifier: BSD-3-Clause

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <random>

#include "trial/trial.hpp"

using namespace nestbind::trial;
using Numbers = std::vector<double>;

namespace {

// Returns the numbers 1 to n, those in `negative` with a minus sign.
Numbers with_negative(int n, const std::vector<int>& negative) {
  Numbers numbers;
  for (int i = 1; i <= n; ++i) {
    numbers.push_back(i);
  }
  for (const int one : negative) {
    numbers[static_cast<std::size_t>(one) - 1] *= -1;
  }
  return numbers;
}

// Returns the p-value from all 2^n combinations of signs, for small n.
double by_enumeration(const Numbers& differences) {
  Numbers sizes;
  for (const double one : differences) {
    if (one != 0) {
      sizes.push_back(std::fabs(one));
    }
  }
  const auto rank = [&](double size) {
    double smaller = 0;
    double equal = 0;
    for (const double other : sizes) {
      smaller += other < size ? 1 : 0;
      equal += other == size ? 1 : 0;
    }
    return smaller + (equal + 1) / 2;
  };
  double sum = 0;
  double positive = 0;
  for (const double one : differences) {
    sum += one != 0 ? rank(std::fabs(one)) : 0;
    positive += one > 0 ? rank(one) : 0;
  }
  const double away = std::fabs(positive - sum / 2);
  double extreme = 0;
  const unsigned all = 1U << sizes.size();
  for (unsigned signs = 0; signs < all; ++signs) {
    double own = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      own += (signs >> i & 1U) != 0 ? rank(sizes[i]) : 0;
    }
    extreme += std::fabs(own - sum / 2) >= away - 1e-9 ? 1 : 0;
  }
  return extreme / all;
}

}  // namespace

TEST_CASE("Darwin's maize gives the p value of SciPy's manual") {
  const Numbers d = {6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
  CHECK(signed_rank(d).p == Approx(0.041259765625).epsilon(1e-12));
  CHECK(signed_rank(d).direction == 1);
}

TEST_CASE("Hamilton's depression scale gives the p value of R's manual") {
  const Numbers x = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  const Numbers y = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  Numbers d;
  for (std::size_t i = 0; i < x.size(); ++i) {
    d.push_back(y[i] - x[i]);
  }
  CHECK(signed_rank(d).p == Approx(0.0390625).epsilon(1e-12));  // V = 5
  CHECK(signed_rank(d).direction == -1);
}

TEST_CASE("the published critical values are reproduced") {
  // These are two-sided levels of 5 % and 1 % from published tables. `last` gives the largest
  // significant sum, and `next` gives the next larger sum.
  struct Row {
    int n;
    double level;
    std::vector<int> last, next;
  };
  const Row rows[] = {
      {6, 0.05, {}, {1}},                      // 0
      {8, 0.05, {3}, {4}},                     // 3
      {10, 0.05, {8}, {9}},                    // 8
      {12, 0.05, {12, 1}, {12, 2}},            // 13
      {15, 0.05, {15, 10}, {15, 11}},          // 25
      {20, 0.05, {20, 19, 13}, {20, 19, 14}},  // 52
      {8, 0.01, {}, {1}},                      // 0
      {10, 0.01, {3}, {4}},                    // 3
      {12, 0.01, {7}, {8}},                    // 7
      {15, 0.01, {15}, {15, 1}},               // 15
      {20, 0.01, {20, 17}, {20, 18}},          // 37
  };
  for (const Row& row : rows) {
    INFO(row.n << " pairs, " << row.level);
    CHECK(signed_rank(with_negative(row.n, row.last)).p <= row.level);
    CHECK(signed_rank(with_negative(row.n, row.next)).p > row.level);
  }
}

TEST_CASE("differences with one sign give the smallest p value") {
  for (const int n : {1, 2, 8, 15, 40}) {
    CHECK(signed_rank(with_negative(n, {})).p == Approx(std::ldexp(2.0, -n)));
  }
  CHECK(fewest_pairs(0.01) == 8);
  CHECK(fewest_pairs(0.01 / 6) == 11);
  CHECK(fewest_pairs(1) == 1);
}

TEST_CASE("no differences give no result") {
  CHECK(signed_rank({}).p == 1);
  CHECK(signed_rank({0, 0, 0}).p == 1);
  CHECK(signed_rank({0, 0, 0}).direction == 0);
  CHECK(signed_rank({1, -1}).p == 1);
  CHECK(signed_rank({0, 5, 0}).p == 1);
}

TEST_CASE("ties and zeros give the same p value as an enumeration of all signs") {
  std::mt19937_64 numbers(7);
  for (int i = 0; i < 200; ++i) {
    Numbers d(1 + numbers() % 9);
    for (double& one : d) {
      one = static_cast<double>(numbers() % 9) - 4;
    }
    CHECK(signed_rank(d).p == Approx(by_enumeration(d)).epsilon(1e-12));
    Numbers turned;
    for (const double one : d) {
      turned.push_back(-one);
    }
    CHECK(signed_rank(turned).p == signed_rank(d).p);
    CHECK(signed_rank(turned).direction == -signed_rank(d).direction);
  }
}

TEST_CASE("Holm's correction is as in R") {
  // The results of R's p.adjust.
  const Numbers p = {0.01, 0.02, 0.03, 0.04, 0.05};
  const Numbers adjusted = {0.05, 0.08, 0.09, 0.09, 0.09};
  for (std::size_t i = 0; i < p.size(); ++i) {
    CHECK(holm(p, 5)[i] == Approx(adjusted[i]));
  }
  CHECK(holm({0.04, 0.001, 0.6}, 3) == Numbers{0.08, 0.003, 0.6});
  CHECK(holm({0.001}, 6)[0] == Approx(0.006));  // five of the six tests could not be made
  CHECK(holm({}, 0).empty());
}

TEST_CASE("quartiles are as in R's type 7") {
  const Spread spread = nestbind::trial::spread({4, 1, 3, 2});
  CHECK(spread.low == 1.75);
  CHECK(spread.median == 2.5);
  CHECK(spread.high == 3.25);
  CHECK(median({5}) == 5);
}
