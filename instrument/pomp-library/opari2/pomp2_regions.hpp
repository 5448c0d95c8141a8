// SPDX-License-Identifier: BSD-3-Clause
// The source of each instrumented region. The key is the address of the region's handle.
#pragma once

#include <nestbind/region.h>

#include <string_view>

namespace nestbind::opari2 {

// OPARI2 describes a region in a text, the compile-time context. An example:
//
// "93*regionType=parallel*sscl=a.c:10:10*escl=a.c:22:22*hasNum_threads=1**"
//
// The text begins with its length. `sscl` describes the region's begin, and `escl` its end.
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
