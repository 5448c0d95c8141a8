// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include "cli/doctor/doctor.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli {

namespace {

using inspect::Loops;
using inspect::Uses;

constexpr struct {
  bool Loops::* is_there;
  const char* text;
} kKinds[] = {{&Loops::has_runtime,
               "NESTBIND_SCHEDULE=hybrid or balanced takes loops with schedule(runtime)"},
              {&Loops::has_dynamic,
               "NESTBIND_SCHEDULE=hybrid,loops=dynamic or balanced,loops=dynamic takes loops with "
               "schedule(dynamic) or (guided), too"},
              {&Loops::has_dispatched,
               "NESTBIND_SCHEDULE=hybrid or balanced takes loops with schedule(runtime); the "
               "option loops=dynamic adds loops with schedule(dynamic) and (guided); LLVM's "
               "symbols do not show which of these loops the program has"}};

constexpr char kNone[] =
    "none that NESTBIND_SCHEDULE can take: loops with schedule(static), or without a clause, are "
    "compiled into the program; compile them with schedule(runtime)";

// The text is empty if only the program has loops of this kind.
std::string places_of(const inspect::Facts& facts, bool Loops::* kind) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> names;
  for (const inspect::LoadedLibrary& library : facts.listing.libraries) {
    if (inspect::loops_of(library.file).*kind) {
      names.push_back(library.name);
    }
  }
  if (names.size() > kMost) {
    names[kMost] = fmt::format("{} others", names.size() - kMost);
    names.resize(kMost + 1);
  }
  if (!names.empty() && inspect::loops_of(facts.file).*kind) {
    names.insert(names.begin(), "the program");
  }
  return names.empty() ? "" : " (in " + inspect::join(names, ", ") + ")";
}

bool is_there(const inspect::Facts& facts, bool Loops::* kind) {
  return inspect::loops_of(facts.file).*kind || !places_of(facts, kind).empty();
}

}  // namespace

void examine_loops(const inspect::Facts& facts, Findings& findings) {
  bool is_any = false;
  for (const auto& [kind, text] : kKinds) {
    if (is_there(facts, kind)) {
      findings.fact("loops", text + places_of(facts, kind));
      is_any = true;
    }
  }
  if (!is_any && (uses_gomp(facts.file) != Uses::kNo || uses_kmpc(facts.file) != Uses::kNo)) {
    findings.fact("loops", kNone);
  }
}

}  // namespace nestbind::cli
