// SPDX-License-Identifier: BSD-3-Clause
// If Catch2 3 is installed, this file defines the names of Catch2 2 for the tests.
#pragma once
#include <catch2/catch_all.hpp>
#include <string>

using Catch::Approx;

namespace Catch {
namespace Matchers {
inline StringContainsMatcher Contains(const char* text) { return ContainsSubstring(text); }
inline StringContainsMatcher Contains(std::string& text) { return ContainsSubstring(text); }
inline StringContainsMatcher Contains(const std::string& text) { return ContainsSubstring(text); }
inline StringContainsMatcher Contains(std::string&& text) { return ContainsSubstring(text); }
}  // namespace Matchers
using Matchers::Contains;
using Matchers::EndsWith;
using Matchers::StartsWith;
}  // namespace Catch
