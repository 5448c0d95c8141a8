// SPDX-License-Identifier: BSD-3-Clause
// usage: planned PLANNER MACHINE SMT      MACHINE is a description, or "here". Answers questions
// about plans, a line for each. It knows the planner only, and nothing of a running program.
//
//   make ID MASK SPEC           makes a plan; MASK is a list such as 0,1,2, or "all"
//   below ID BASE LEVEL SPEC    makes a plan from another: SPEC from level LEVEL on
//   rule ID BASE LEVEL SPEC     the same, but the first level of SPEC becomes level LEVEL
//   team ID SIZE STEP...        answers with a word "pinned:core:cpus" for each member of the team
//                               that the thread at the path forks; a step is NUMBER/SIZE
//   share ID STEP...            answers with the processors of the thread's partition
//   part PARTS INDEX MASK SPEC  answers with the processors of a part of the mask
#include <dlfcn.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "mask/cpu_list.hpp"
#include "planner/planner.hpp"
#include "spec/spec.hpp"

using namespace nestbind;

namespace {

[[noreturn]] void fail(const std::string& why) {
  std::cerr << "planned: " << why << "\n";
  std::exit(2);
}

struct Made {
  PlanHandle* handle;
  spec::Spec spec;
};

const PlannerApi* g_api;
PlannerOptions g_options{};
std::map<std::string, Made> g_plans;
std::map<std::string, CpuMask> g_masks;

spec::Spec parsed(const std::string& text) {
  spec::Spec spec;
  spec::Fault fault;
  if (!spec::parse(text, spec, fault)) {
    fail("bad specification " + text);
  }
  return spec;
}

// The planner compares masks by their addresses, so each list has one mask.
PlannerOptions options_for(const std::string& list) {
  PlannerOptions options = g_options;
  if (list == "all") {
    return options;
  }
  auto& mask = g_masks[list];
  if (mask.bits == nullptr) {
    constexpr int kBits = 64;
    auto* const bits = new std::vector<unsigned long>(128);
    std::istringstream numbers(list);
    for (std::string number; std::getline(numbers, number, ',');) {
      const int cpu = std::stoi(number);
      (*bits)[cpu / kBits] |= 1UL << (cpu % kBits);
    }
    mask = CpuMask{bits->size() * kBits, bits->data()};
  }
  options.allowed = mask;
  return options;
}

std::string text_of(const CpuMask& mask) {
  std::string text;
  for (const int cpu : mask::cpus_in(mask)) {
    text += (text.empty() ? "" : ",") + std::to_string(cpu);
  }
  return text;
}

void check(int error, const PlannerMessage& message) {
  if (error != NESTBIND_OK) {
    fail(std::string("error ") + std::to_string(error) + " " + message.text);
  }
}

// A rule's levels follow the outer levels of the plan.
spec::Spec shifted(const spec::Spec& base, int level, const spec::Spec& rule) {
  spec::Spec whole = base;
  whole.levels = 0;
  for (int i = 0; i < level; ++i) {
    if (i >= base.levels && !base.is_auto) {
      fail("a rule below the last level");
    }
    whole.level[whole.levels++] = base.level[std::min(i, base.levels - 1)];
  }
  for (int i = 0; i < rule.levels; ++i) {
    whole.level[whole.levels++] = rule.level[i];
  }
  whole.is_auto = rule.is_auto;
  return whole;
}

std::vector<PlannerStep> path_in(std::istringstream& words) {
  std::vector<PlannerStep> path;
  char slash = 0;
  for (PlannerStep step{}; words >> step.number >> slash >> step.size;) {
    path.push_back(step);
  }
  return path;
}

std::string shared(PlanHandle* plan, const std::vector<PlannerStep>& path) {
  return text_of(g_api->partition(plan, path.data(), static_cast<int>(path.size())));
}

void answer(const std::string& line) {
  std::istringstream words(line);
  std::string kind;
  std::string id;
  words >> kind >> id;
  PlannerMessage message{};
  if (kind == "make") {
    std::string mask;
    std::string text;
    words >> mask >> text;
    Made made{nullptr, parsed(text)};
    check(g_api->open(options_for(mask), message), message);
    check(g_api->make(made.spec, 0, &made.handle, message), message);
    g_plans[id] = made;
  } else if (kind == "below" || kind == "rule") {
    std::string base;
    int level = 0;
    std::string text;
    words >> base >> level >> text;
    const Made& from = g_plans.at(base);
    Made made{nullptr, kind == "below" ? parsed(text) : shifted(from.spec, level, parsed(text))};
    check(g_api->make_from(from.handle, level, made.spec, &made.handle, message), message);
    g_plans[id] = made;
  } else if (kind == "team") {
    int size = 0;
    words >> size;
    const std::vector<PlannerStep> path = path_in(words);
    std::vector<PlannedPlace> places(size);
    check(g_api->team(g_plans.at(id).handle, path.data(), static_cast<int>(path.size()), size,
                      places.data(), message),
          message);
    for (const PlannedPlace& place : places) {
      std::cout << place.pinned << ":" << place.core << ":" << text_of(place.mask) << " ";
    }
    std::cout << std::endl;
  } else if (kind == "share") {
    std::cout << shared(g_plans.at(id).handle, path_in(words)) << std::endl;
  } else if (kind == "part") {
    int index = 0;
    std::string mask;
    std::string text;
    words >> index >> mask >> text;
    const spec::Spec spec = parsed(text);
    const spec::Need need = spec::need_of(spec);
    mask::MaskBuffer part;
    check(g_api->divide(options_for(mask), spec, {std::stoi(id), index, need.threads, need.is_open},
                        part, message),
          message);
    std::cout << text_of(part.view()) << std::endl;
  } else {
    fail("bad line " + line);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    fail("expected PLANNER MACHINE SMT");
  }
  void* const library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  g_api =
      library == nullptr ? nullptr : static_cast<const PlannerApi*>(dlsym(library, kPlannerSymbol));
  if (g_api == nullptr) {
    fail(std::string("no planner of this source: ") + dlerror());
  }
  g_options.source = std::string(words[2]) == "here" ? nullptr : words[2];
  g_options.smt = std::stoi(words[3]);
  g_api->find_machine(g_options);
  for (std::string line; std::getline(std::cin, line);) {
    answer(line);
  }
}
