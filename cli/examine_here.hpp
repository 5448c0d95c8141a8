// SPDX-License-Identifier: BSD-3-Clause
// What the doctor says of the processors that a process may use, and of what is worth trying there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/findings.hpp"

namespace nestbind::cli {

// The mask, who has narrowed it, and the time that the cgroup gives. process: a number, or "self";
// cpus: its mask, as a list.
void examine_processors(const std::string& process, const std::string& cpus, Findings& findings);

// The same of this process, and what to type next on this machine. program: as it is typed.
void examine_here(const std::string& program, Findings& findings);
void advise_next(const std::string& program, Findings& findings);

}  // namespace nestbind::cli
