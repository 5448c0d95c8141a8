// SPDX-License-Identifier: BSD-3-Clause
// Numbers and times as text.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli::tune {

// Returns a number with four digits: 0.1235, 12.35. Large numbers have no fraction: 12345.
std::string figure(double number);

// Returns "12 s", "3 min 20 s" or "2 h 5 min". Times below ten seconds have one decimal.
std::string duration(double seconds);

// Reads a text such as "90", "90s", "15m" or "2h". The result is in seconds and above 0.
std::optional<double> read_duration(const std::string& text);

}  // namespace nestbind::cli::tune
