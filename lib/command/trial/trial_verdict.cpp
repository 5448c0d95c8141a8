// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <tuple>

#include "trial/trial.hpp"

namespace nestbind::trial {

namespace {

constexpr int kFirstCandidate = 0;

class Shown {
 public:
  explicit Shown(const Trial& trial)
      : records_(trial.records()),
        has_final_(trial.is_complete() ||
                   std::all_of(records_.begin(), records_.end(), [](const Record& record) {
                     return record.state != State::kIn ||
                            record.finals.size() >=
                                std::max<std::size_t>(1, record.selection.size());
                   })) {}

  bool is_final(const Record& record) const {
    return (has_final_ && !record.finals.empty()) || record.selection.empty();
  }
  const std::vector<double>& of(const Record& record) const {
    return is_final(record) ? record.finals : record.selection;
  }
  // Returns the reference's values in the same rounds.
  const std::vector<double>& beside(const Record& record) const {
    const Record& reference = records_[kFirstCandidate];
    return is_final(record) ? reference.finals : reference.selection;
  }
  bool is_finalist(const Record& record) const { return has_final_ && record.state == State::kIn; }

 private:
  const std::vector<Record>& records_;
  bool has_final_;
};

// Returns ratios to the reference, round by round, so that slow rounds do not count.
std::optional<Spread> ratios_of(const Record& record, const Shown& shown) {
  const auto& own = shown.of(record);
  const auto& others = shown.beside(record);
  const std::size_t rounds = std::min(own.size(), others.size());
  if (rounds == 0 || !are_ratios(own) || !are_ratios(others)) {
    return std::nullopt;
  }
  std::vector<double> ratios(rounds);
  for (std::size_t i = 0; i < rounds; ++i) {
    ratios[i] = own[i] / others[i];
  }
  return spread(ratios);
}

double distance(const Record& record, const Shown& shown, Better better) {
  const auto away = differences(shown.of(record), shown.beside(record));
  const double sign = better == Better::kLower ? 1 : -1;
  return away.empty() ? std::numeric_limits<double>::infinity() : sign * median(away);
}

Rank rank_of(int candidate, const Record& record, const Shown& shown) {
  const auto& values = shown.of(record);
  Rank rank{candidate, shown.is_finalist(record), static_cast<int>(values.size()), {}, {}};
  if (!values.empty()) {
    rank.values = spread(values);
    rank.ratios = ratios_of(record, shown);
  }
  return rank;
}

std::vector<Rank> ranking_of(const Trial& trial) {
  const std::vector<Record>& records = trial.records();
  const Shown shown(trial);
  std::vector<int> order(records.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int candidate) {
    const Record& record = records[static_cast<std::size_t>(candidate)];
    const bool is_in = record.state == State::kIn;
    const int place = is_in ? 0 : record.state == State::kDropped ? 1 : 2;
    return std::tuple(place, is_in ? 0 : -static_cast<int>(record.selection.size()),
                      distance(record, shown, trial.rules().better), candidate);
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  std::vector<Rank> ranking;
  ranking.reserve(order.size());
  for (const int candidate : order) {
    ranking.push_back(rank_of(candidate, records[static_cast<std::size_t>(candidate)], shown));
  }
  return ranking;
}

std::vector<Comparison> compare(const Trial& trial) {
  const std::vector<Record>& records = trial.records();
  std::vector<Comparison> comparisons;
  std::vector<double> values;
  for (std::size_t a = 0; a < records.size(); ++a) {
    for (std::size_t b = a + 1; b < records.size(); ++b) {
      if (records[a].state != State::kIn || records[b].state != State::kIn) {
        continue;
      }
      const SignedRank test = signed_rank(differences(records[a].finals, records[b].finals));
      const bool is_first = (test.direction <= 0) == (trial.rules().better == Better::kLower);
      comparisons.push_back(
          {static_cast<int>(is_first ? a : b), static_cast<int>(is_first ? b : a), test.p, 1});
      values.push_back(test.p);
    }
  }
  const auto adjusted = holm(values, static_cast<std::size_t>(trial.planned_pairs()));
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    comparisons[i].adjusted = adjusted[i];
  }
  return comparisons;
}

bool is_better(const Verdict& verdict, int one, int other) {
  return std::any_of(
      verdict.comparisons.begin(), verdict.comparisons.end(), [&](const Comparison& comparison) {
        return comparison.better == one && comparison.worse == other && comparison.differs();
      });
}

void judge(Verdict& verdict) {
  std::vector<int> finalists;
  for (const Rank& rank : verdict.ranking) {
    if (rank.is_finalist) {
      finalists.push_back(rank.candidate);
    }
  }
  const auto leader = std::find_if(finalists.begin(), finalists.end(), [&](int one) {
    return is_better(verdict, one, kFirstCandidate);
  });
  verdict.leader = leader == finalists.end() ? kFirstCandidate : *leader;
  for (const int one : finalists) {
    if (one != verdict.leader && !is_better(verdict, verdict.leader, one)) {
      verdict.alike.push_back(one);
    }
  }
  verdict.finding = verdict.leader != kFirstCandidate ? Finding::kBetter
                    : verdict.alike.empty()           ? Finding::kReference
                                                      : Finding::kNoDifference;
}

}  // namespace

Verdict verdict_of(const Trial& trial) {
  Verdict verdict;
  verdict.ranking = ranking_of(trial);
  if (trial.is_complete()) {
    verdict.comparisons = compare(trial);
    judge(verdict);
  }
  return verdict;
}

}  // namespace nestbind::trial
