// SPDX-License-Identifier: BSD-3-Clause
// The result of a trial: the order of the candidates, and the significant differences.
#pragma once

#include <optional>
#include <vector>

#include "trial/statistics.hpp"
#include "trial/trial.hpp"

namespace nestbind::trial {

// Two candidates that ran in the final rounds.
struct Comparison {
  int better = 0;  // the candidate that the test favours
  int worse = 0;
  double p = 1;         // by Wilcoxon's signed-rank test, two-sided, exact
  double adjusted = 1;  // the p value with Holm's correction
  bool differs() const { return adjusted <= kLevel; }
};

struct Rank {
  int candidate = 0;
  bool is_finalist = false;
  int count = 0;
  std::optional<Spread> values;
  std::optional<Spread> ratios;
};

enum class Finding {
  kNone,          // the trial is not complete
  kNoDifference,  // no finalist is better than the reference
  kReference,     // the reference is better than each finalist
  kBetter         // the leader is better than the reference
};

struct Verdict {
  Finding finding = Finding::kNone;
  int leader = 0;
  std::vector<int> alike;  // finalists that the tests cannot distinguish from the leader (kBetter),
                           // or from the reference
  std::vector<Comparison> comparisons;
  std::vector<Rank> ranking;  // finalists, then dropped candidates (the last dropped first), then
                              // failed candidates
};

Verdict verdict_of(const Trial& trial);

}  // namespace nestbind::trial
