// SPDX-License-Identifier: BSD-3-Clause
// How the help looks: no wider than a terminal of 80 columns, as far as options go.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace nestbind::cli {

// usages: the ways to call the command, behind its name, where its options do not tell them.
std::shared_ptr<CLI::FormatterBase> help_format(std::vector<std::string> usages = {});

}  // namespace nestbind::cli
