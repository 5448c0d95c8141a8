// SPDX-License-Identifier: BSD-3-Clause
// Numbers and times as people read them. Pure.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli::tune {

// Four digits, as many as an eye can use: 0.1235, 12.35, 12345.
std::string figure(double number);

// "12 s", "3 min 20 s", "2 h 5 min"; below ten seconds with a digit after the point.
std::string duration(double seconds);

// "90", "90s", "15m", "2h": seconds, above 0; none of another text.
std::optional<double> read_duration(const std::string& text);

}  // namespace nestbind::cli::tune
