// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "cli/common/printable.hpp"
#include "cli/tune/study.hpp"
#include "cli/tune/tune_progress.hpp"

namespace nestbind::cli::tune {

namespace {

using trial::Comparison;
using trial::Finding;
using trial::Rank;
using trial::State;
using trial::Verdict;

const std::string& name_of(const Study& study, int candidate) {
  return study.candidates[static_cast<std::size_t>(candidate)].name;
}

const trial::Record& record_of(const Study& study, const Rank& rank) {
  return study.trial.records()[static_cast<std::size_t>(rank.candidate)];
}

std::string names_of(const Study& study, const std::vector<int>& candidates) {
  std::string names;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool is_last = i + 1 == candidates.size();
    names += i == 0 ? "" : is_last ? " and " : ", ";
    names += name_of(study, candidates[i]);
  }
  return names;
}

std::string figures_of(const Rank& rank) {
  if (!rank.values) {
    return "not run";
  }
  const auto quartiles = [](const trial::Spread& spread) {
    return fmt::format("{} to {}", figure(spread.low), figure(spread.high));
  };
  const std::string ratio = !rank.ratios
                                ? "-"
                                : fmt::format("{:.3f} ({:.3f} to {:.3f})", rank.ratios->median,
                                              rank.ratios->low, rank.ratios->high);
  return fmt::format("{:>9}  {:<20}  {:<22}  {:>4}", figure(rank.values->median),
                     quartiles(*rank.values), ratio, rank.count);
}

std::string row_of(const Study& study, const Rank& rank, const std::string& place,
                   std::size_t width) {
  return fmt::format("{:>4}  {:<{}}  {}\n", place, name_of(study, rank.candidate), width,
                     figures_of(rank));
}

std::string counts_of(const Study& study) {
  const trial::Trial& trial = study.trial;
  const bool is_over = trial.is_complete();
  return fmt::format("{} runs in {}{}, seed {}", trial.runs_done(), duration(study.seconds),
                     is_over ? fmt::format(", the final of {} rounds", trial.rounds()) : "",
                     trial.rules().seed);
}

const Comparison* between(const Verdict& verdict, int a, int b) {
  const auto found = std::find_if(
      verdict.comparisons.begin(), verdict.comparisons.end(), [&](const Comparison& one) {
        return (one.better == a && one.worse == b) || (one.better == b && one.worse == a);
      });
  return found == verdict.comparisons.end() ? nullptr : &*found;
}

std::string probability(double p) {
  constexpr double kSmall = 0.0001;
  return p < kSmall ? "p < 0.0001" : fmt::format("p = {:.4f}", p);
}

std::string ratio_of_leader(const Verdict& verdict) {
  const auto found = std::ranges::find(verdict.ranking, verdict.leader, &Rank::candidate);
  return found == verdict.ranking.end() || !found->ratios
             ? ""
             : fmt::format(", {:.3f} of its value", found->ratios->median);
}

std::string finding_text(const Study& study, const Verdict& verdict) {
  const std::string& reference = name_of(study, 0);
  switch (verdict.finding) {
    case Finding::kNone:
      return study.trial.is_cut()
                 ? "none within the budget; the ranking shows the measurements so far"
                 : "none: the study was stopped early";
    case Finding::kNoDifference:
      return fmt::format("no difference between {} and {}", reference,
                         names_of(study, verdict.alike));
    case Finding::kReference:
      return fmt::format("{} is better than all other finalists", reference);
    case Finding::kBetter:
      break;
  }
  const Comparison* test = between(verdict, verdict.leader, 0);
  const std::string better =
      fmt::format("{} is better than {}{} ({})", name_of(study, verdict.leader), reference,
                  ratio_of_leader(verdict), probability(test == nullptr ? 1 : test->adjusted));
  return verdict.alike.empty() ? better + ", and than all other finalists"
                               : better + fmt::format("; no difference between it and {}",
                                                      names_of(study, verdict.alike));
}

using json = nlohmann::ordered_json;

// In the order of Finding, and of State.
constexpr const char* kFindings[] = {"none", "no difference", "reference", "better"};
constexpr const char* kStates[] = {"in", "dropped", "out"};

json spread_of(const std::optional<trial::Spread>& spread) {
  return spread ? json{{"low", spread->low}, {"median", spread->median}, {"high", spread->high}}
                : json();
}

json candidate_of(const Study& study, const trial::Rank& rank) {
  const auto number = static_cast<std::size_t>(rank.candidate);
  const Candidate& candidate = study.candidates[number];
  const trial::Record& record = study.trial.records()[number];
  json variables = json::object();
  for (const auto& [name, value] : candidate.variables) {
    variables[name] = value;
  }
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? json() : json(text);
  };
  return {{"name", candidate.name},
          {"spec", text_or_null(candidate.spec)},
          {"schedule", text_or_null(candidate.schedule)},
          {"variables", variables},
          {"state", kStates[static_cast<int>(record.state)]},
          {"fault", text_or_null(study.faults[number].text)},
          {"values", spread_of(rank.values)},
          {"ratio", spread_of(rank.ratios)},
          {"selection", record.selection},
          {"final", record.finals}};
}

}  // namespace

std::string ranking_text(const Study& study, const Verdict& verdict, const Words& words) {
  std::size_t width = 9;
  for (const Candidate& candidate : study.candidates) {
    width = std::max(width, candidate.name.size());
  }
  const bool is_lower = study.trial.rules().better == trial::Better::kLower;
  std::string text = fmt::format("{}, {} is better; {}\n\n", printable(words.metric),
                                 is_lower ? "less" : "more", counts_of(study));
  text += fmt::format("      {:<{}}  {:>9}  {:<20}  {:<22}  runs\n", "candidate", width, "median",
                      "quartiles", "to " + name_of(study, 0));
  int place = 0;
  std::string dropped;
  std::string failed;
  for (const Rank& rank : verdict.ranking) {
    const trial::Record& record = record_of(study, rank);
    if (record.state == State::kIn) {
      text += row_of(study, rank, fmt::format("{}", ++place), width);
    } else if (record.state == State::kDropped) {
      dropped += row_of(study, rank, "", width);
    } else {
      failed += fmt::format("      {}: {}\n", name_of(study, rank.candidate),
                            printable(study.faults[static_cast<std::size_t>(rank.candidate)].text));
    }
  }
  text += dropped.empty() ? "" : "  dropped in the selection, not tested:\n" + dropped;
  text += failed.empty() ? "" : "  out:\n" + failed;
  return text;
}

int recommended(const Verdict& verdict) { return verdict.leader; }

std::string verdict_text(const Study& study, const Verdict& verdict, const Words& words) {
  std::string text = "verdict: " + finding_text(study, verdict) + "\n";
  if (verdict.finding == Finding::kNone) {
    return text;
  }
  const Candidate& chosen = study.candidates[static_cast<std::size_t>(recommended(verdict))];
  const std::string line = script_line(chosen, words.options, words.cpus);
  return text + (line.empty() ? "for the job script: nothing; run the program without nestbind\n"
                 : !chosen.rules.empty()
                     ? "the rule (nestbind run --rules=FILE):\n    " + line + "\n"
                     : "for the job script:\n    " + line + "\n");
}

nlohmann::ordered_json json_of(const Study& study, const trial::Verdict& verdict,
                               const Words& words) {
  const auto name = [&](int candidate) {
    return study.candidates[static_cast<std::size_t>(candidate)].name;
  };
  const trial::Rules& rules = study.trial.rules();
  json alike = json::array();
  for (const int one : verdict.alike) {
    alike.push_back(name(one));
  }
  json candidates = json::array();
  for (const trial::Rank& rank : verdict.ranking) {
    candidates.push_back(candidate_of(study, rank));
  }
  json tests = json::array();
  for (const trial::Comparison& test : verdict.comparisons) {
    tests.push_back({{"better", name(test.better)},
                     {"worse", name(test.worse)},
                     {"p", test.p},
                     {"adjusted", test.adjusted},
                     {"differs", test.differs()}});
  }
  const bool is_complete = verdict.finding != Finding::kNone;
  const auto& chosen = study.candidates[static_cast<std::size_t>(recommended(verdict))];
  return {{"metric", words.metric},
          {"better", rules.better == trial::Better::kLower ? "lower" : "higher"},
          {"seed", rules.seed},
          {"level", trial::kLevel},
          {"runs", study.trial.runs_done()},
          {"seconds", study.seconds},
          {"complete", is_complete},
          {"finding", kFindings[static_cast<int>(verdict.finding)]},
          {"recommended", is_complete ? json(chosen.name) : json()},
          {"alike", alike},
          {"line", is_complete ? json(script_line(chosen, words.options, words.cpus)) : json()},
          {"candidates", candidates},
          {"tests", tests}};
}

}  // namespace nestbind::cli::tune
