// SPDX-License-Identifier: BSD-3-Clause
#include "balance/across/worth.hpp"

#include <algorithm>
#include <cmath>

namespace nestbind::balance::across {

namespace {

constexpr double kOff = 0.25;  // of the load: such a change is no noise
constexpr int kMostSeen = 4;
constexpr int kMostSeenUnsteady = 16;
constexpr int kUnsteady = 2;  // returns
constexpr int kFirst = 3;     // steps that are seen before the first search
constexpr int kLongestPause = 64;
constexpr double kGrown = 1.25;
constexpr double kUnsettled = 2.5;  // of the tolerance: noise lifts no settled program above it

}  // namespace

void Estimate::see(double seconds) {
  const auto is_far = [&](double from) { return std::abs(seconds - from) > kOff * from; };
  const bool is_new = seen > 0 && is_far(load);
  if (is_new && !is_off && returns < kUnsteady) {
    is_off = true;
    return;
  }
  is_off = false;
  if (is_new && returns < kUnsteady) {
    returns = seen < kMostSeen && !is_far(before) ? returns + 1 : 0;
    before = load;
    seen = 0;
  }
  seen = std::min(seen + 1, returns < kUnsteady ? kMostSeen : kMostSeenUnsteady);
  load += (seconds - load) / seen;
}

bool Worth::is_silent() { return mode == Mode::kOff || calls_++ % every != every - 1; }

bool Worth::may_pay(const double* sum) {
  ++steps_;
  own_time_ = sum[kOwnTime];
  time_ = sum[kTime];
  mean_ = sum[kCapacity] > 0 ? sum[kLoad] / sum[kCapacity] : 0;
  varies_ = sum[kVaries];
  remaining_ = sum[kRemaining];
  if (sum[kInterval] > 0 && every == 1) {
    const double rest = std::max(0.0, sum[kInterval] - time_);
    if (moved_bytes_ > 0 && usual_rest_ >= 0) {
      const double measured = std::max(0.0, rest - usual_rest_) / moved_bytes_;
      per_byte_ = is_measured_ ? (per_byte_ + measured) / 2 : measured;
      is_measured_ = true;
    } else if (moved_bytes_ <= 0) {
      usual_rest_ = usual_rest_ < 0 ? rest : usual_rest_ + (rest - usual_rest_) / 4;
    }
  }
  moved_bytes_ = 0;
  const double gain = time_ - std::max(mean_ * (1 + target()), sum[kHeaviest]);
  if (mode == Mode::kEvery) {
    return gain > tolerance * time_;
  }
  const double least = (is_settled_ ? kUnsettled : 1) * tolerance * time_;
  is_settled_ = is_settled_ || gain <= least;
  if (steps_ < kFirst || gain <= least || gain <= varies_ || gain * remaining_ <= own_time_) {
    return false;
  }
  if (pause_ > 0 && gain < kGrown * refused_gain_) {
    --pause_;
    return false;
  }
  return true;
}

bool Worth::pays(const double* sum) {
  const double gain = time_ - sum[kTime];
  const bool is_worth =
      sum[kMoves] > 0 && gain > 0 &&
      (mode == Mode::kEvery || (gain > varies_ && gain > tolerance * time_ &&
                                gain * remaining_ > (sum[kBusiest] * per_byte_ + own_time_)));
  is_settled_ = !is_worth;
  if (is_worth) {
    moved_bytes_ = std::max(sum[kBusiest], 1.0);
    refused_gain_ = 0;
    next_pause_ = 1;
  } else {
    refused_gain_ = std::max(time_ - mean_ * (1 + target()), 0.0);
    pause_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_, kLongestPause);
  }
  return is_worth;
}

}  // namespace nestbind::balance::across
