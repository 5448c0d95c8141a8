// SPDX-License-Identifier: BSD-3-Clause
// The end of nestbind run: this process becomes the program.
#pragma once

#include <string>
#include <vector>

namespace nestbind::cli {

// As execvp does it. Returns only where that cannot be, with an exit status, and says why: more
// than the kernel tells of a folder, or of a script without its interpreter.
int execute(const std::vector<std::string>& program);

// Warns of a program that is not there, or that the kernel would not start.
void warn_if_not_executable(const std::string& program);

}  // namespace nestbind::cli
