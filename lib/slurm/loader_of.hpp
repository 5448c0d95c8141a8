// SPDX-License-Identifier: BSD-3-Clause
// Whether a program's loader preloads anything.
#pragma once

#include <string>

namespace nestbind::slurm {

// The program's file, as execvp finds it: from `folder`, or in the folders of `path` (PATH's form).
// Empty if there is none.
std::string find_program(const std::string& name, const std::string& folder,
                         const std::string& path);

// Why nothing can be preloaded into a program, as "is a static program, ..."; empty if it can, or
// if that cannot be told. A script's interpreter may start anything.
std::string loader_obstacle(const std::string& file);

}  // namespace nestbind::slurm
