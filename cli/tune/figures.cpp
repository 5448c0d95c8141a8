// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/figures.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>

namespace nestbind::cli::tune {

std::string figure(double number) {
  constexpr double kWhole = 1000;
  return std::fabs(number) >= kWhole ? fmt::format("{:.0f}", number)
                                     : fmt::format("{:.4g}", number);
}

std::string duration(double seconds) {
  constexpr int kMinute = 60;
  constexpr int kHour = 3600;
  if (seconds < 0.0995) {
    return fmt::format("{:.0f} ms", 1000 * seconds);
  }
  if (seconds < 9.95) {
    return fmt::format("{:.1f} s", seconds);
  }
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < kMinute) {
    return fmt::format("{} s", whole);
  }
  if (whole < kHour) {
    return fmt::format("{} min {} s", whole / kMinute, whole % kMinute);
  }
  return fmt::format("{} h {} min", whole / kHour, whole % kHour / kMinute);
}

std::optional<double> read_duration(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  const double seconds = number * factor;
  return end != text.c_str() && std::isfinite(seconds) && seconds > 0 ? std::optional(seconds)
                                                                      : std::nullopt;
}

}  // namespace nestbind::cli::tune
