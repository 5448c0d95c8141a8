// SPDX-License-Identifier: BSD-3-Clause
#include "show/canonical.hpp"

#include <algorithm>

namespace nestbind::show {

std::string canonical(const spec::Spec& spec) {
  char text[spec::kMaxText];
  const std::size_t length = spec::print(spec, text, sizeof text);
  return {text, std::min(length, sizeof text - 1)};
}

std::string canonical(const spec::Level& level) { return canonical(spec::Spec{1, false, {level}}); }

}  // namespace nestbind::show
