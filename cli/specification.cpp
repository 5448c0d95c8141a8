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

std::string canonical(const spec::Spec& spec) {
  char text[spec::kMaxText];
  const std::size_t length = spec::print(spec, text, sizeof text);
  return {text, std::min(length, sizeof text - 1)};
}

std::string canonical(const spec::Level& level) {
  spec::Spec alone;
  alone.levels = 1;
  alone.level[0] = level;
  return canonical(alone);
}

bool is_symbolic(const spec::Spec& spec) {
  return std::any_of(std::begin(spec.level), std::begin(spec.level) + spec.levels,
                     [](const spec::Level& level) { return level.size == 0; });
}

}  // namespace nestbind::cli
