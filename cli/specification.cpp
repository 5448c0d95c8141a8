// SPDX-License-Identifier: BSD-3-Clause
#include "cli/specification.hpp"

#include <algorithm>
#include <iterator>

#include "cli/message.hpp"

namespace nestbind::cli {

bool read_specification(const std::string& text, spec::Spec& spec) {
  spec::Fault fault;
  if (spec::parse(text, spec, fault)) {
    return true;
  }
  char message[1024];
  const std::size_t length = spec::describe(text, fault, message, sizeof message);
  say("bad specification, {}", std::string_view(message, length));
  return false;
}

bool is_symbolic(const spec::Spec& spec) {
  return std::any_of(std::begin(spec.level), std::begin(spec.level) + spec.levels,
                     [](const spec::Level& level) { return level.size == 0; });
}

}  // namespace nestbind::cli
