// SPDX-License-Identifier: BSD-3-Clause
// What stands below a subcommand's help.
#pragma once

#include <string>

namespace nestbind::cli {

// A line as it is typed, and what it does.
struct Example {
  const char* line;
  const char* does;
};

// Two examples, and before them what a specification is where the subcommand takes one.
std::string text_of_examples(const Example& first, const Example& second, bool has_specification);

}  // namespace nestbind::cli
