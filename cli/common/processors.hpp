// SPDX-License-Identifier: BSD-3-Clause
// --cpus LIST: the processors that may be used.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::cli {

// Reads the list. Says what is wrong with another text.
std::optional<std::vector<int>> read_processors(const std::string& list);

// Those of a list, ascending, that a machine does not have or does not allow ("processors 2-99",
// "processor 5"); empty: it has all.
std::string missing_processors(const std::vector<int>& wanted, const machine::Hardware& hardware);

// The processors that this process may use, ascending; none if the kernel does not tell.
std::optional<std::vector<int>> own_processors();

// Lets this process use these and no others, as taskset does. Says which of them it may not use,
// and returns false.
bool confine_to(const std::vector<int>& cpus, const std::string& list);

}  // namespace nestbind::cli
