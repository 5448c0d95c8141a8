// SPDX-License-Identifier: BSD-3-Clause
#include "cli/examples.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <string>

namespace nestbind::cli {

void set_examples(CLI::App& command, const Example& first, const Example& second) {
  std::string text = "Examples:\n";
  for (const Example& example : {first, second}) {
    text += fmt::format("  {}\n      {}\n", example.line, example.does);
  }
  command.footer(text);
}

}  // namespace nestbind::cli
