// SPDX-License-Identifier: BSD-3-Clause
// What a trial has found: the order of the candidates, and which differences are none of chance's.
#pragma once

#include <optional>
#include <vector>

#include "trial/spread.hpp"
#include "trial/trial.hpp"

namespace nestbind::trial {

// Two that were compared in the final.
struct Comparison {
  int better = 0;  // as far as the test leans to one
  int worse = 0;
  double p = 1;         // Wilcoxon's signed ranks, two-sided, exact
  double adjusted = 1;  // by Holm, for all pairs of the final
  bool differs() const { return adjusted <= kLevel; }
};

// A candidate as it is shown.
struct Rank {
  int candidate = 0;
  bool is_finalist = false;  // the numbers are the final's, otherwise the selection's
  int count = 0;             // of its values
  std::optional<Spread> values;
  std::optional<Spread> ratios;  // to the reference's value of the same round; none where a value
                                 // is not above 0
};

enum class Finding {
  kNone,          // the trial has not come to its end
  kNoDifference,  // no finalist is better than the reference
  kReference,     // and the reference is better than each
  kBetter         // the leader is better than the reference
};

struct Verdict {
  Finding finding = Finding::kNone;
  int leader = 0;          // of kBetter
  std::vector<int> alike;  // finalists that cannot be told from the leader (of kBetter), or from
                           // the reference
  std::vector<Comparison> comparisons;
  std::vector<Rank> ranking;  // finalists, those that were dropped (the last one first), those that
                              // failed; an interrupted trial's by what there is
};

Verdict verdict_of(const Trial& trial);

}  // namespace nestbind::trial
