// SPDX-License-Identifier: BSD-3-Clause
// The tests are written for Catch2 2. If Catch2 3 is installed, this file replaces the header of
// Catch2 2, and defines the names of Catch2 2.
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
