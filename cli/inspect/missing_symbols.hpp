// SPDX-License-Identifier: BSD-3-Clause
// What a program and its libraries need of OpenMP, and none of them has.
#pragma once

#include <string>

#include "cli/inspect/listing.hpp"

namespace nestbind::cli::inspect {

// Fills what is missing in the listing of a program, as the loader tells by LD_BIND_NOW and
// LD_WARN; where it cannot be told, the listing gets a fault.
void find_missing(const std::string& program, Listing& listing);

}  // namespace nestbind::cli::inspect
