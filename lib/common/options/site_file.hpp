// SPDX-License-Identifier: BSD-3-Clause
// The site's file: defaults of variables, and features that are turned off.
#pragma once

#include <string.h>

#include "options/settings.hpp"

namespace nestbind::options {

const char* site_file();

inline constexpr unsigned kMostSiteText = 4096;
using SiteText = char[kMostSiteText + 1];

inline constexpr const char* kFeatureNames[] = {"workers", "schedules", "memory",
                                                "ranks",   "reorder",   "everything"};

struct SiteLine {
  int variable = -1;  // a row of kTable
  const char* value = nullptr;
  int feature = -1;  // a Feature
  const char* fault = nullptr;
};

// Returns null, or why the file is ignored. Keeps errno.
const char* read_site_file(SiteText& text);

// Writes nuls into the line, because the result points into the line.
SiteLine read_site_line(char* line);

template <typename Visit>
void each_site_line(char* text, Visit visit) {
  for (int number = 1; text != nullptr; ++number) {
    char* const end = strchr(text, '\n');
    if (end != nullptr) {
      *end = '\0';
    }
    visit(number, read_site_line(text));
    text = end == nullptr ? nullptr : end + 1;
  }
}

}  // namespace nestbind::options
