// SPDX-License-Identifier: BSD-3-Clause
// How the help looks: no wider than a terminal of 80 columns, as far as options go.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace nestbind::cli {

struct HelpFormat : CLI::Formatter {
  // Without the value that an option has where none is given, which the library puts in braces.
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  // In lines that fit beside the names.
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace nestbind::cli
