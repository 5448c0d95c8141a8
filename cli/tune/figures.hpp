// SPDX-License-Identifier: BSD-3-Clause
// Numbers and times as text. Pure.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli::tune {

// A number with four digits: 0.1235, 12.35; without a fraction if it is large: 12345.
std::string figure(double number);

// "12 s", "3 min 20 s", "2 h 5 min". Below ten seconds it has one decimal.
std::string duration(double seconds);

// The seconds of a text such as "90", "90s", "15m", "2h", above 0; not set for any other text.
std::optional<double> read_duration(const std::string& text);

}  // namespace nestbind::cli::tune
