// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "cli/tune/ranking.hpp"

namespace nestbind::cli::tune {

namespace {

using json = nlohmann::ordered_json;
using trial::Finding;
using trial::State;

const char* word_of(Finding finding) {
  switch (finding) {
    case Finding::kNoDifference:
      return "no difference";
    case Finding::kReference:
      return "reference";
    case Finding::kBetter:
      return "better";
    case Finding::kNone:
      break;
  }
  return "none";
}

const char* word_of(State state) {
  switch (state) {
    case State::kDropped:
      return "dropped";
    case State::kFailed:
      return "out";
    case State::kIn:
      break;
  }
  return "in";
}

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
          {"state", word_of(record.state)},
          {"fault", text_or_null(study.faults[number].text)},
          {"values", spread_of(rank.values)},
          {"ratio", spread_of(rank.ratios)},
          {"selection", record.selection},
          {"final", record.finals}};
}

}  // namespace

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
          {"finding", word_of(verdict.finding)},
          {"recommended", is_complete ? json(chosen.name) : json()},
          {"alike", alike},
          {"line", is_complete ? json(script_line(chosen, words.options, words.cpus)) : json()},
          {"candidates", candidates},
          {"tests", tests}};
}

}  // namespace nestbind::cli::tune
