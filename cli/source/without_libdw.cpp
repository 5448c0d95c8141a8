// SPDX-License-Identifier: BSD-3-Clause
// Replaces the other files of this folder if nestbind is built without libdw's header.
#include "cli/source/source_lines.hpp"

namespace nestbind::cli::source {

class Lines::Files {};

Lines::Lines() = default;
Lines::~Lines() = default;

std::string Lines::missing() const {
  return "nestbind was built without elfutils' libdw (Debian: libdw-dev)";
}

Found Lines::find(const Place& /*place*/) { return {}; }

Regions regions_of(const std::string& /*file*/, Detail /*detail*/) {
  Regions none;
  none.fault = Lines().missing();
  return none;
}

std::string demangled(const std::string& symbol) { return symbol; }

class CallChains::Session {};

CallChains::CallChains(const std::vector<Mapped>& /*files*/) {}
CallChains::~CallChains() = default;

std::vector<Place> CallChains::find(const Moment& /*moment*/) { return {}; }

}  // namespace nestbind::cli::source
