// SPDX-License-Identifier: BSD-3-Clause
// Short forms for tests of the text.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "spec/spec.hpp"

namespace nestbind::spec::test {

inline Spec good(std::string_view text) {
  Spec spec;
  Fault fault;
  const bool is_good = parse(text, spec, fault);
  INFO("text: " << text << ", position " << fault.position << ", expected " << fault.expected);
  REQUIRE(is_good);
  return spec;
}

// The text must be bad, and must not change the specification.
inline Fault bad(std::string_view text) {
  const Spec before = good("7,subcompact@l3,numa,compact");
  Spec spec = before;
  Fault fault;
  INFO("text: " << text);
  REQUIRE_FALSE(parse(text, spec, fault));
  REQUIRE(spec == before);
  REQUIRE(fault.error != NESTBIND_OK);
  REQUIRE(fault.position <= text.size());
  REQUIRE_FALSE(std::string(fault.expected).empty());
  return fault;
}

inline std::string printed(const Spec& spec) {
  char buffer[kMaxText];
  const std::size_t length = print(spec, buffer, sizeof buffer);
  REQUIRE(length < sizeof buffer);
  return {buffer, length};
}

inline std::string described(std::string_view text, const Fault& fault) {
  char buffer[512];
  const std::size_t length = describe(text, fault, buffer, sizeof buffer);
  REQUIRE(length < sizeof buffer - 1);
  REQUIRE(buffer[length] == '\0');
  return {buffer, length};
}

inline std::string repeated(const std::string& level, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += (i > 0 ? "," : "") + level;
  }
  return text;
}

}  // namespace nestbind::spec::test
