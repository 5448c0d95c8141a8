// SPDX-License-Identifier: BSD-3-Clause
// Programs with artificial times, and trials with an artificial clock.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "trial/trial.hpp"

namespace made_up {

// The distributions of the C++ standard library differ between machines.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : numbers_(seed) {}
  double uniform() { return (static_cast<double>(numbers_() >> 11) + 0.5) / 9007199254740992.0; }
  double normal() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * 3.14159265358979323846 * uniform());
  }
  double cauchy() { return std::tan(3.14159265358979323846 * (uniform() - 0.5)); }

 private:
  std::mt19937_64 numbers_;
};

// The machine's effect on a run, as a factor of its time. Each program has its own Noise.
using Noise = std::function<double()>;
using Machine = Noise (*)(Chance& chance);

// Noise of only 3 %.
inline Noise quiet(Chance& chance) {
  return [&chance] { return std::exp(0.03 * chance.normal()); };
}

// Outliers with infinite variance.
inline Noise wild(Chance& chance) {
  return [&chance] {
    const double away = 0.03 * chance.cauchy();
    return std::exp(away > 3 ? 3 : away < -3 ? -3 : away);
  };
}

// Runs take 1.5 times longer after some hundred runs. The time also goes up and down, and drifts at
// random.
inline Noise drifting(Chance& chance) {
  return [&chance, run = 0, walk = 0.0]() mutable {
    walk += 0.01 * chance.normal();
    const double trend = 0.004 * run + 0.05 * std::sin(0.7 * run);
    ++run;
    return std::exp(0.03 * chance.normal() + walk + trend);
  };
}

// Now and then another program disturbs some runs.
inline Noise visited(Chance& chance) {
  return [&chance, is_here = false]() mutable {
    is_here = chance.uniform() < 0.15 ? !is_here : is_here;
    return std::exp(0.03 * chance.normal()) * (is_here ? 1.6 : 1);
  };
}

// A few different values give many ties.
inline Noise coarse(Chance& chance) {
  return [&chance] { return std::floor(1 + 3 * chance.uniform()); };
}

// The first program is the reference.
inline nestbind::trial::Trial tried(const std::vector<double>& seconds,
                                    nestbind::trial::Rules rules, Machine machine,
                                    std::uint64_t seed) {
  Chance chance(seed);
  const Noise noise = machine(chance);
  // The machine drifts in the same way in all trials. So each trial needs its own order.
  rules.seed = seed + 1000000;
  nestbind::trial::Trial trial(static_cast<int>(seconds.size()), rules);
  while (const auto turn = trial.next()) {
    const double took = seconds[static_cast<std::size_t>(*turn)] * noise();
    const bool is_lower = rules.better == nestbind::trial::Better::kLower;
    trial.take(is_lower ? took : 1 / took, took);
  }
  return trial;
}

}  // namespace made_up
