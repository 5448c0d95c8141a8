// SPDX-License-Identifier: BSD-3-Clause
// The sources of the instrumented regions, known by the address of their handle. What a handle
// holds belongs to the POMP2 library behind, where there is one.
#pragma once

#include <nestbind/region.h>

#include <cstddef>
#include <string_view>

namespace nestbind::opari2 {

// OPARI2's compile-time context: what the instrumenter knows of a region, as one text,
//   "93*regionType=parallel*sscl=a.c:10:10*escl=a.c:22:22*hasNum_threads=1**"
// (its length behind the first asterisk; start and end location as file, first and last line).
struct Source {
  std::string_view file;  // in the text
  int first_line = 0;     // of the directive
  int last_line = 0;      // of the region's end
};

// Reads the source location. Fortran's texts have no nul at their end, so nothing behind the length
// that the text names is looked at. Returns false, with `source` untouched, for another text.
bool read_ctc(const char* text, Source& source);

// Notes where a region comes from, the first time. For later calls a few loads.
void note_region(const void* handle, const char* ctc);

// Where a region comes from; null where it was not noted.
const nestbind_region* region_of(const void* handle);

}  // namespace nestbind::opari2
