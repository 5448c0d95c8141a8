// SPDX-License-Identifier: BSD-3-Clause
// Carrefour's rules as they were published, written down without lib/memory and without regard to
// how that does it: in floating point, one statement a rule.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace reference {

struct Page {
  std::vector<long> a;  // samples by node
  long writes = 0;
  int home = 0;
};

struct Interval {
  std::vector<long> to;
  long local = 0;
  double maptu = 0;
  double rr = 0;
  double memory_use = 0;
  std::vector<Page> pages;
};

struct Order {
  std::size_t page;
  int node;  // -1: replicate
  bool operator==(const Order&) const = default;
};

struct Outcome {
  bool replication = false, interleaving = false, migration = false;
  std::vector<Order> orders;
  long period = 0;
  bool operator==(const Outcome&) const = default;
};

inline double lar(const Interval& interval) {
  double all = 0;
  for (const long n : interval.to) all += static_cast<double>(n);
  return 100.0 * static_cast<double>(interval.local) / all;
}

inline double imbalance(const std::vector<long>& to) {
  double mean = 0;
  for (const long n : to) mean += static_cast<double>(n);
  mean /= static_cast<double>(to.size());
  double squares = 0;
  for (const long n : to) {
    squares += (static_cast<double>(n) - mean) * (static_cast<double>(n) - mean);
  }
  return 100.0 * std::sqrt(squares / static_cast<double>(to.size() - 1)) / mean;
}

class Carrefour {
 public:
  // random(n): a number from 0 to n-1; asked twice for each page that might be interleaved, for x
  // first.
  Outcome decide(const Interval& interval, const std::function<long(long)>& random) {
    Outcome outcome;
    if (interval.maptu >= 50) {
      outcome.replication = interval.memory_use <= 25 && interval.rr >= 95;
      outcome.interleaving = lar(interval) < 100 && imbalance(interval.to) > 35;
      outcome.migration = lar(interval) < 80;
    }
    long sum = 0;
    for (const long n : interval.to) sum += n;
    std::vector<long> proba;
    std::vector<int> lots;  // each node as often as it weighs
    for (std::size_t n = 0; n < interval.to.size(); ++n) {
      proba.push_back(interval.to[n] * 100 / sum);
      lots.insert(lots.end(), static_cast<std::size_t>(100 - proba[n]), static_cast<int>(n));
    }
    std::vector<Order> moves;
    std::vector<Order> replicas;
    for (std::size_t p = 0; p < interval.pages.size(); ++p) {
      const Page& page = interval.pages[p];
      int dies = 0;
      long samples = 0;
      for (const long a : page.a) {
        dies += a > 0;
        samples += a;
      }
      bool home_is_the_only_user = samples == page.a[static_cast<std::size_t>(page.home)];
      if (outcome.replication && dies > 1 && page.writes == 0) {
        replicas.push_back({p, -1});
      } else if (outcome.interleaving && dies > 1) {
        const long x = random(101);
        const long pick = random(static_cast<long>(lots.size()));
        if (x <= proba[static_cast<std::size_t>(page.home)]) {
          const int node = lots[static_cast<std::size_t>(pick)];
          if (node != page.home) moves.push_back({p, node});
        }
      } else if (!home_is_the_only_user &&
                 ((outcome.migration && dies == 1 && samples >= 2) || outcome.interleaving)) {
        for (std::size_t n = 0; n < page.a.size(); ++n) {
          if (page.a[n] > 0) moves.push_back({p, static_cast<int>(n)});
        }
      }
    }
    if (replicas.size() >= least_replicas_) {
      least_replicas_ = 1;
      moves.insert(moves.end(), replicas.begin(), replicas.end());
    }
    outcome.period = moves.size() >= 10 ? 65528 : 262112;
    outcome.orders = moves;
    return outcome;
  }

 private:
  std::size_t least_replicas_ = 500;
};

}  // namespace reference
