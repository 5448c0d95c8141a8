// SPDX-License-Identifier: BSD-3-Clause
#include "probe/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

namespace nestbind::probe {

namespace {

constexpr double kNsOfBatch = 1e6;  // the wanted time; shorter than a scheduler's time slice
constexpr int kLeastInBatch = 4;
constexpr int kMostReads = 1000;  // the most reads in a batch, because many subjects read

// A batch is stopped, as disturbed, if it exceeds this multiple of the best batch's time.
constexpr double kHopeless = 4;

constexpr int kFirstTries = 3;
constexpr int kFirstCount = 16;
constexpr double kMostNs = 2e7;

constexpr double kLow = 0.1;
constexpr double kHigh = 0.9;

// If the 20th percentile exceeds kScatter times the 5th, the 10th percentile is not reliable.
constexpr double kBest = 0.05;
constexpr double kGood = 0.2;
constexpr double kScatter = 1.2;

struct Batches {
  std::vector<double> ns;
  std::vector<double> slowest;
  int given_up = 0;
  int count = kLeastInBatch;
  double best = std::numeric_limits<double>::max();

  int size() const { return static_cast<int>(ns.size()); }
};

double part_percentile(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  using Distance = std::vector<double>::difference_type;
  return percentile(
      {values.begin() + static_cast<Distance>(begin), values.begin() + static_cast<Distance>(end)},
      kLow);
}

std::size_t parts_of(std::size_t batches) {
  constexpr std::size_t kMany = 128;
  constexpr std::size_t kInPart = 32;
  return batches < 2 ? 1 : batches < kMany ? 2 : batches / kInPart;
}

Measured judged(const Batches& batches, const Rules& rules) {
  Measured found;
  const std::size_t all = batches.ns.size();
  found.ns = percentile(batches.ns, kLow);
  found.slowest = percentile(batches.slowest, kLow);
  found.p90 = percentile(batches.ns, kHigh);
  const std::size_t parts = parts_of(all);
  for (std::size_t part = 0; part < parts; ++part) {
    found.parts.push_back(
        part_percentile(batches.ns, part * all / parts, (part + 1) * all / parts));
  }
  found.batches = batches.size();
  const auto [least, most] = std::ranges::minmax(found.parts);
  const bool is_dense = percentile(batches.ns, kGood) <= kScatter * percentile(batches.ns, kBest);
  found.is_reliable = batches.size() >= rules.least_batches && is_dense && least > 0 &&
                      most <= least * (1 + rules.tolerance) &&
                      batches.given_up < kHigh * static_cast<double>(all);
  return found;
}

class Loop {
 public:
  Loop(const std::vector<Subject>& subjects, Instrument& instrument, const Rules& rules,
       const Progress& progress)
      : subjects_(subjects),
        instrument_(instrument),
        rules_(rules),
        progress_(progress),
        batches_(subjects.size()),
        random_(rules.seed),
        began_(instrument.now()) {}

  std::vector<Measured> run() {
    std::vector<std::size_t> due(subjects_.size());
    std::iota(due.begin(), due.end(), std::size_t{0});
    for (const std::size_t subject : due) {
      try_first(subject);
    }
    measure_all(due);
    std::erase_if(due, [&](std::size_t subject) { return is_done(subject); });
    while (!due.empty()) {
      for (int round = 0; round < rules_.least_batches && !is_over(); ++round) {
        measure_round(due);
      }
      std::erase_if(due, [&](std::size_t subject) { return is_done(subject); });
    }
    std::vector<Measured> found;
    found.reserve(batches_.size());
    for (Batches& batches : batches_) {
      if (batches.ns.empty()) {
        batches.ns = batches.slowest = {batches.best};
      }
      found.push_back(judged(batches, rules_));
    }
    return found;
  }

 private:
  void try_first(std::size_t subject) {
    Batches& batches = batches_[subject];
    for (int i = 0; i < kFirstTries && (i == 0 || !is_over()); ++i) {
      const Took took = instrument_.batch(subjects_[subject], kFirstCount, kMostNs);
      batches.best = std::min(batches.best, took.ns);
    }
    const double fitting = kNsOfBatch / std::max(batches.best, 1e-3);
    const int most = subjects_[subject].work == Work::kReads ? kMostReads : rules_.most_in_batch;
    batches.count = static_cast<int>(std::clamp<double>(fitting, kLeastInBatch, most));
  }

  void measure_round(std::vector<std::size_t>& due) {
    std::shuffle(due.begin(), due.end(), random_);
    for (const std::size_t subject : due) {
      if (is_over()) {
        return;
      }
      Batches& batches = batches_[subject];
      const Took took =
          instrument_.batch(subjects_[subject], batches.count,
                            std::min(kHopeless * batches.best * batches.count, kMostNs));
      batches.ns.push_back(took.ns);
      batches.slowest.push_back(took.slowest);
      batches.given_up += took.given_up ? 1 : 0;
      batches.best = std::min(batches.best, took.ns);
    }
  }

  void measure_all(std::vector<std::size_t>& due) {
    const double began = instrument_.now();
    double part = 0;
    if (progress_) {
      progress_(0, expected());
    }
    for (int rounds = 1; part < 1 && !is_over(); ++rounds) {
      measure_round(due);
      // With few subjects there are pauses between rounds, so that other programs can run.
      const double pace = rounds * rules_.least_seconds / rules_.most_batches;
      const double early = began + pace - instrument_.now();
      if (early > 0) {
        instrument_.rest(early);
      }
      const double by_time = (instrument_.now() - began) / rules_.least_seconds;
      const double by_rounds = static_cast<double>(rounds) / rules_.most_batches;
      part = std::min(static_cast<double>(rounds) / rules_.least_batches,
                      std::max(by_time, by_rounds));
      tell(std::min(part, 1.0));
    }
  }

  bool is_done(std::size_t subject) const {
    const Batches& batches = batches_[subject];
    return batches.size() >= rules_.most_batches || passed() >= rules_.most_seconds || is_over() ||
           judged(batches, rules_).is_reliable;
  }

  double passed() const { return instrument_.now() - began_; }
  bool is_over() const { return passed() >= rules_.limit; }

  double expected() const {
    double ns = 0;
    for (const Batches& batches : batches_) {
      ns += batches.best * batches.count * rules_.least_batches;
    }
    return std::clamp(ns / 1e9, rules_.least_seconds, std::max(rules_.limit, rules_.least_seconds));
  }

  // The remaining time is an estimate: more subjects may need extra batches.
  void tell(double done) const {
    if (progress_) {
      progress_(done, passed() * (1 - done) / done);
    }
  }

  const std::vector<Subject>& subjects_;
  Instrument& instrument_;
  const Rules& rules_;
  const Progress& progress_;
  std::vector<Batches> batches_;
  std::mt19937_64 random_;
  double began_;
};

constexpr double kLeastDifference = 1.10;
constexpr double kErrors = 4;

double mean_logarithm(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += std::log(value);
  }
  return sum / static_cast<double>(values.size());
}

double pooled_deviation(const std::vector<std::vector<double>>& groups,
                        const std::vector<double>& means) {
  double squares = 0;
  std::size_t freedoms = 0;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const double value : groups[group]) {
      squares += std::pow(std::log(value) - means[group], 2);
    }
    freedoms += groups[group].size() - 1;
  }
  return freedoms == 0 ? 0 : std::sqrt(squares / static_cast<double>(freedoms));
}

}  // namespace

double percentile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  const double at = fraction * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], at - std::floor(at));
}

std::vector<Measured> measure(const std::vector<Subject>& subjects, Instrument& instrument,
                              const Rules& rules, const Progress& progress) {
  return Loop(subjects, instrument, rules, progress).run();
}

Classes find_classes(const std::vector<std::vector<double>>& groups) {
  Classes found;
  found.of_group.assign(groups.size(), 0);
  std::vector<double> means;
  means.reserve(groups.size());
  for (const auto& group : groups) {
    means.push_back(mean_logarithm(group));
  }
  found.noise = pooled_deviation(groups, means);

  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t group) { return std::pair(means[group], group); });
  std::size_t lowest = 0;
  for (const std::size_t group : order) {
    const double parts = 1.0 / static_cast<double>(groups[group].size()) +
                         1.0 / static_cast<double>(groups[lowest].size());
    const double needed =
        std::max(std::log(kLeastDifference), kErrors * found.noise * std::sqrt(parts));
    if (found.count == 0 || means[group] - means[lowest] > needed) {
      ++found.count;
      lowest = group;
    }
    found.of_group[group] = found.count - 1;
  }
  return found;
}

}  // namespace nestbind::probe
