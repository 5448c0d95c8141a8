// SPDX-License-Identifier: BSD-3-Clause
// Numbers and times in a form for people. Pure.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli::tune {

// Four digits are enough for a reader: 0.1235, 12.35, 12345.
std::string figure(double number);

// "12 s", "3 min 20 s", "2 h 5 min"; below ten seconds with one decimal.
std::string duration(double seconds);

// "90", "90s", "15m", "2h": seconds, above 0; none for any other text.
std::optional<double> read_duration(const std::string& text);

}  // namespace nestbind::cli::tune
