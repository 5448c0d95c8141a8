// SPDX-License-Identifier: BSD-3-Clause
// The value of `run --memory-policy`: the kernel's memory policy for a program, as numactl(8) sets
// it.
#pragma once

#include <string>

namespace nestbind::cli {

// Sets the policy of this process, which a program inherits. text: local, interleave[:NODES],
// bind:NODES or prefer:NODE. If this fails, says why and returns an exit status; otherwise returns
// kSuccess.
int set_memory_policy(const std::string& text);

}  // namespace nestbind::cli
