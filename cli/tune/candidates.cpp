// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/tune/study.hpp"

namespace nestbind::cli::tune {

namespace {

constexpr const char* kNativePolicies[] = {"spread,close", "close,close"};
constexpr char kNativePlaces[] = "cores";

// Other values than auto, which all schedules have.
constexpr const char* kAcross[] = {"off", "every=4", "every=16", "every=64"};
constexpr const char* kWithAcross[] = {"",
                                       "hybrid",
                                       "hybrid,f=0.25,chunk=8",
                                       "hybrid,f=0.5,chunk=8",
                                       "hybrid,f=0.75,chunk=8",
                                       "hybrid,f=1",
                                       "balanced"};

constexpr const char* kNativeSchedules[] = {"static", "dynamic,8", "guided"};

void add(std::vector<Candidate>& candidates, Candidate candidate) {
  const bool is_there =
      std::any_of(candidates.begin(), candidates.end(),
                  [&](const Candidate& other) { return other.name == candidate.name; });
  if (!is_there) {
    candidates.push_back(std::move(candidate));
  }
}

std::vector<std::pair<std::string, std::string>> sizes_of(const std::vector<int>& sizes) {
  if (sizes.empty()) {
    return {};
  }
  return {{"OMP_NUM_THREADS", fmt::format("{}", fmt::join(sizes, ","))},
          {"OMP_MAX_ACTIVE_LEVELS", std::to_string(sizes.size())}};
}

// Adds some schedules, each with each value of NESTBIND_BALANCE_ACROSS.
void add_across(std::vector<Candidate>& candidates) {
  const std::vector<Candidate> all = candidates;
  for (const char* schedule : kWithAcross) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Candidate& one) {
      return one.schedule == schedule;  // the first without one is the program's own
    });
    for (const char* across : kAcross) {
      Candidate pair = *found;
      pair.name = fmt::format("{}, across={}", found->name, across);
      pair.variables.emplace_back("NESTBIND_BALANCE_ACROSS", across);
      candidates.push_back(pair);
    }
  }
}

}  // namespace

std::string name_of_shape(const std::vector<int>& sizes) {
  return fmt::format("{}", fmt::join(sizes, "x"));
}

std::vector<Candidate> layouts(const std::vector<Shape>& shapes) {
  std::vector<Candidate> candidates = {{kUnbound, "", "", {}}};
  for (const Shape& shape : shapes) {
    const std::string named = shape.sizes.empty() ? "" : " " + name_of_shape(shape.sizes);
    add(candidates, {kUnbound + named, "", "", sizes_of(shape.sizes)});
    for (const char* policy : kNativePolicies) {
      auto variables = sizes_of(shape.sizes);
      variables.emplace_back("OMP_PROC_BIND", policy);
      variables.emplace_back("OMP_PLACES", kNativePlaces);
      add(candidates, {fmt::format("OMP_PROC_BIND={}{}", policy, named), "", "", variables});
    }
    for (const std::string& spec : shape.specs) {
      add(candidates, {spec, spec, "", {}});
    }
  }
  return candidates;
}

std::vector<Candidate> schedules(const Candidate& layout, bool with_across) {
  std::vector<Candidate> candidates = {layout};
  candidates[0].name = "the program's own";
  for (const char* schedule : kNativeSchedules) {
    Candidate native = layout;
    native.name = fmt::format("OMP_SCHEDULE={}", schedule);
    native.variables.emplace_back("OMP_SCHEDULE", schedule);
    candidates.push_back(native);
  }
  const auto add_ours = [&](const std::string& schedule) {
    Candidate ours = layout;
    ours.name = schedule;
    ours.schedule = schedule;
    candidates.push_back(ours);
  };
  add_ours("hybrid");
  constexpr int kParts = 8;
  for (int part = 0; part < kParts; ++part) {
    for (int chunk = 1; chunk <= 128; chunk *= 2) {
      add_ours(fmt::format("hybrid,f={},chunk={}", static_cast<double>(part) / kParts, chunk));
    }
  }
  add_ours("hybrid,f=1");
  add_ours("balanced");
  if (with_across) {
    add_across(candidates);
  }
  return candidates;
}

std::string script_line(const Candidate& candidate, const std::string& options,
                        const std::string& cpus) {
  if (!candidate.rules.empty()) {
    return candidate.name;
  }
  std::vector<std::string> commands;
  std::string assignments;
  for (const auto& [name, value] : candidate.variables) {
    assignments += fmt::format(" {}={}", name, value);
  }
  if (!assignments.empty()) {
    commands.push_back("export" + assignments);
  }
  if (candidate.needs_library()) {
    const bool has_both = !candidate.schedule.empty() && !candidate.spec.empty();
    const std::string schedule =
        candidate.schedule.empty() ? "" : "--schedule=" + candidate.schedule;
    commands.push_back(fmt::format("eval \"$(nestbind run --print-env {}{}{}{})\" || exit", options,
                                   schedule, has_both ? " " : "", candidate.spec));
  }
  if (!commands.empty() && !cpus.empty()) {
    commands.insert(commands.begin(), fmt::format("taskset -cp {} $$ >/dev/null", cpus));
  }
  return fmt::format("{}", fmt::join(commands, "; "));
}

}  // namespace nestbind::cli::tune
