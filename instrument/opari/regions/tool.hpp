// SPDX-License-Identifier: BSD-3-Clause
// What a tool gets to read, and what it has written. It sees nothing but parallel regions, one
// behind the other, whatever the source is: so it meets no construct that it does not know.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/regions.hpp"

namespace nestbind::opari {

// In C, or in Fortran's free form.
std::string skeleton(const Source& source, bool fortran);

// The calls for each region, from what the tool has made of the skeleton and from the declarations
// that it has written beside it. Fewer than regions, where it has not made all of them.
std::vector<Calls> read_calls(std::string_view output, std::string_view declarations,
                              const std::vector<Region>& regions, bool fortran);

// A literal text of C.
std::string in_quotes(const std::string& text);

// OPARI 1's descriptor of a region, and those of Fortran regions, which its table includes.
std::string descriptor(const Calls& calls, const Region& region);
std::string descriptors(const std::vector<Calls>& calls, const std::vector<Region>& regions);

}  // namespace nestbind::opari
