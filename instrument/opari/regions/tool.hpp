// SPDX-License-Identifier: BSD-3-Clause
// The tool's input and output. The tool sees only parallel regions, one after the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/regions.hpp"

namespace nestbind::opari {

// The skeleton is in C, or in Fortran's free form.
std::string skeleton(const Source& source, bool fortran);

std::vector<Calls> read_calls(std::string_view output, std::string_view declarations,
                              const std::vector<Region>& regions, bool fortran);

std::string in_quotes(const std::string& text);

// OPARI 1's descriptor of one region, and the descriptors of Fortran regions for its table.
std::string descriptor(const Calls& calls, const Region& region);
std::string descriptors(const std::vector<Calls>& calls, const std::vector<Region>& regions);

}  // namespace nestbind::opari
