// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "spec/spec.hpp"
#include "spec/words.hpp"
#include "support/text_writer.hpp"

namespace nestbind::spec {

const char* name(Kind kind) {
  const auto number = static_cast<unsigned>(kind);
  return number < kKinds ? kKindWords[number] : "?";
}

const char* name(Strategy strategy) {
  const auto number = static_cast<unsigned>(strategy);
  return number < kStrategies ? kStrategyWords[number].word : "?";
}

bool may_be_size(Kind kind) { return kSizes.first <= kind && kind <= kSizes.last; }

bool may_be_domain(Kind kind) { return kDomains.first <= kind && kind <= kDomains.last; }

bool takes_domain(Strategy strategy) {
  return kStrategyWords[static_cast<int>(strategy)].takes_domain;
}

bool Spec::operator==(const Spec& other) const {
  return is_auto == other.is_auto &&
         std::equal(level, level + levels, other.level, other.level + other.levels);
}

std::size_t print(const Spec& spec, char* buffer, std::size_t size) {
  support::TextWriter out(buffer, size);
  if (spec.is_off() || spec.is_auto) {
    out.put(spec.is_auto ? kAuto : kOff);
    return out.length();
  }
  for (int i = 0; i < spec.levels; ++i) {
    const Level& level = spec.level[i];
    if (i > 0) {
      out.put(',');
    }
    if (level.is_star) {
      out.put('*');
    } else if (level.size > 0) {
      out.put_number(static_cast<std::size_t>(level.size));
    } else {
      out.put(name(level.object));
    }
    out.put(',');
    out.put(name(level.strategy));
    if (level.has_domain) {
      out.put('@');
      out.put(name(level.domain));
    }
  }
  return out.length();
}

}  // namespace nestbind::spec
