// SPDX-License-Identifier: BSD-3-Clause
// A machine with artificial latencies, and its own clock.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "probe/measure.hpp"

namespace made_up {

using nestbind::probe::Pair;
using nestbind::probe::Subject;
using nestbind::probe::Took;
using nestbind::probe::Work;

using Table = std::vector<std::vector<double>>;

struct Truth {
  Table round_trip;  // ns, between two processors
  Table read;        // ns, between a processor and the memory of a node
};

struct Noise {
  double jitter = 0.05;     // standard deviation of each batch
  double disturbed = 0.10;  // the share of disturbed batches
  double how_much = 1000;   // a disturbed batch takes this many times longer
};

class Machine : public nestbind::probe::Instrument {
 public:
  Machine(Truth truth, std::uint64_t seed, Noise noise = {})
      : truth_(std::move(truth)), noise_(noise), numbers_(seed) {}

  double now() override { return ns_ / 1e9; }
  void rest(double seconds) override { ns_ += seconds * 1e9; }

  Took batch(const Subject& subject, int count, double limit) override {
    ++batches;
    double factor = 1 + noise_.jitter * normal();
    factor *= uniform() < noise_.disturbed ? noise_.how_much : 1;
    const auto [mean, slowest] = of(subject);
    const double all = slowest * factor * count;
    constexpr double kBetween = 10e3;  // ns, to wake threads
    ns_ += std::min(all, limit) + kBetween;
    return {mean * factor, slowest * factor, all > limit};
  }

  double round_trip(const Pair& pair) const {
    return truth_
        .round_trip[static_cast<std::size_t>(pair.first)][static_cast<std::size_t>(pair.second)];
  }
  double read(int cpu, int node) const {
    return truth_.read[static_cast<std::size_t>(cpu)][static_cast<std::size_t>(node)];
  }

  int batches = 0;

 private:
  struct Ns {
    double mean = 0;
    double slowest = 0;
  };

  Ns of(const Subject& subject) const {
    constexpr double kLine = 64;
    constexpr double kBytesANs = 5;
    if (subject.work != Work::kRoundTrips) {
      const double ns_of_read = read(subject.processors[0], subject.node);
      const double ns =
          subject.work == Work::kReads ? ns_of_read : kLine / kBytesANs * ns_of_read / 100;
      return {ns, ns};
    }
    Ns found;
    for (const Pair& pair : subject.pairs) {
      const double alone = round_trip(pair);
      const double together = alone + (subject.bytes - kLine) / kBytesANs *
                                          (1 + 0.02 * static_cast<double>(subject.pairs.size()));
      found.mean += together / static_cast<double>(subject.pairs.size());
      found.slowest = std::max(found.slowest, together);
    }
    return found;
  }

  // The distributions of the C++ standard library differ between machines.
  double uniform() { return (static_cast<double>(numbers_() >> 11) + 0.5) / 9007199254740992.0; }
  double normal() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * 3.14159265358979323846 * uniform());
  }

  Truth truth_;
  Noise noise_;
  std::mt19937_64 numbers_;
  double ns_ = 0;
};

}  // namespace made_up
