// SPDX-License-Identifier: BSD-3-Clause
// The site's file: defaults of variables, and features that are turned off.
#pragma once

#include <string.h>

#include "options/settings.hpp"

namespace nestbind::options {

// The name of the site's file, which is fixed when nestbind is built.
const char* site_file();

inline constexpr unsigned kMostSiteText = 4096;
using SiteText = char[kMostSiteText + 1];

// The features' names in the file, in the order of Feature.
inline constexpr const char* kFeatureNames[] = {"workers", "schedules", "memory", "ranks",
                                                "everything"};

// A line of the site's file: a default, a feature that is off, a fault, or nothing.
struct SiteLine {
  int variable = -1;            // a row of kTable
  const char* value = nullptr;  // the default of that variable
  int feature = -1;             // a Feature
  const char* fault = nullptr;  // why the line is wrong
};

// Reads the site's file, if it exists. Returns null, or why the file is ignored. Keeps errno.
const char* read_site_file(SiteText& text);

// Reads a line without its newline. Writes nuls into the line, because the result points into it.
SiteLine read_site_line(char* line);

// Calls visit(number, line) for each line of the text. The first number is 1.
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
