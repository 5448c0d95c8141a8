// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/environments.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iterator>

#include "cli/inspect/text.hpp"
#include "cli/preload.hpp"
#include "cli/specification.hpp"

namespace nestbind::cli::tune {

namespace {

std::vector<std::string> own_environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    entries.emplace_back(*entry);
  }
  return entries;
}

// Puts back, at its end, what it found.
class SavedEnvironment {
 public:
  SavedEnvironment() : entries_(own_environment()) {}
  ~SavedEnvironment() {
    clearenv();
    for (const std::string& entry : entries_) {
      const auto equals = entry.find('=');
      if (equals != std::string::npos) {
        setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
      }
    }
  }
  SavedEnvironment(const SavedEnvironment&) = delete;
  SavedEnvironment& operator=(const SavedEnvironment&) = delete;

 private:
  std::vector<std::string> entries_;
};

}  // namespace

std::vector<std::string> set_aside() {
  std::vector<std::string> names = {options::kSpecification, options::kOwnThreads};
  names.insert(names.end(), std::begin(options::kCompeting), std::end(options::kCompeting));
  for (const int row : {options::kReport, options::kMachine, options::kTrace, options::kSchedule,
                        options::kMemory, options::kOrder}) {
    names.emplace_back(options::kTable[row].rule.name);
  }
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (!inspect::variable(name.c_str()).empty()) {
      found.push_back(name);
    }
    unsetenv(name.c_str());
  }
  const std::string preloads = inspect::variable("LD_PRELOAD");
  const std::string others = preload_without(preloads);
  if (others.size() < preloads.size()) {
    found.emplace_back("LD_PRELOAD");
    others.empty() ? unsetenv("LD_PRELOAD") : setenv("LD_PRELOAD", others.c_str(), 1);
  }
  return found;
}

Prepared prepare(const Candidate& candidate, const Binding& binding) {
  const SavedEnvironment saved;
  for (const auto& [name, value] : candidate.variables) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  if (candidate.needs_library()) {
    spec::Spec spec;
    Binding own = binding;
    own.spec = nullptr;
    if (!candidate.spec.empty() && parse(candidate.spec, spec).empty()) {
      own.spec = &spec;
    }
    own.values[options::kSchedule] = candidate.schedule;
    set_variables(own);
  }
  return {candidate, own_environment()};
}

}  // namespace nestbind::cli::tune
