// SPDX-License-Identifier: BSD-3-Clause
#include "spec/spec.hpp"
#include "spec/writer.hpp"

namespace nestbind::spec {

const char* name(Object object) {
  switch (object) {
    case Object::kPu:
      return "pu";
    case Object::kCore:
      return "core";
    case Object::kL2:
      return "l2";
    case Object::kL3:
      return "l3";
    case Object::kNuma:
      return "numa";
    case Object::kPackage:
      return "package";
    case Object::kBoard:
      return "board";
  }
  return "?";
}

const char* name(Strategy strategy) {
  switch (strategy) {
    case Strategy::kScatter:
      return "scatter";
    case Strategy::kCompact:
      return "compact";
    case Strategy::kSubscatter:
      return "subscatter";
    case Strategy::kSubcompact:
      return "subcompact";
  }
  return "?";
}

// What stands in the levels behind the last is nobody's.
bool Spec::operator==(const Spec& other) const {
  if (levels != other.levels) {
    return false;
  }
  for (int i = 0; i < levels; ++i) {
    if (level[i] != other.level[i]) {
      return false;
    }
  }
  return true;
}

std::size_t print(const Spec& spec, char* buffer, std::size_t size) {
  Writer out(buffer, size);
  for (int i = 0; i < spec.levels; ++i) {
    const Level& level = spec.level[i];
    if (i > 0) {
      out.put(',');
    }
    if (level.size > 0) {
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
