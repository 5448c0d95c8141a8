// SPDX-License-Identifier: BSD-3-Clause
// The sources of instrumented regions, by the address of the handle, which the next library uses.
#pragma once

#include <nestbind/region.h>

#include <cstddef>
#include <string_view>

namespace nestbind::opari2 {

// OPARI2's compile-time context, the instrumenter's description of a region in one text:
// "93*regionType=parallel*sscl=a.c:10:10*escl=a.c:22:22*hasNum_threads=1**"
// The text begins with its length. sscl: file, first and last line of the begin. escl: of the end.
struct Source {
  std::string_view file;
  int first_line = 0;
  int last_line = 0;
};

// `text` begins with its length and has no final nul. If the text is wrong, returns false and does
// not change `source`.
bool read_ctc(const char* text, Source& source);

void note_region(const void* handle, const char* ctc);

const nestbind_region* region_of(const void* handle);

}  // namespace nestbind::opari2
