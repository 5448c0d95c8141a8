// SPDX-License-Identifier: BSD-3-Clause
// Variables as a shell reads them: nestbind run --print-env.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// A word that every shell of the POSIX family takes as this text, whatever is in it.
std::string shell_quoted(std::string_view text);

// A line for each of these variables of this process that is set: export NAME='VALUE'
std::string exports(const std::vector<std::string>& names);

}  // namespace nestbind::cli
