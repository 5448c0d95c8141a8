// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "probe/found.hpp"

namespace nestbind::cli::probe {

// What a probe has found, for people. Pure.
std::string table_of(const nestbind::probe::Found& found);

}  // namespace nestbind::cli::probe
