// SPDX-License-Identifier: BSD-3-Clause
// Runs the body of a test case in a new process of the same program.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fresh {

using Variables = std::vector<std::pair<std::string, std::string>>;

// How the process must end.
struct Expected {
  int status = 0;
  std::string says;  // part of its output
};

// Runs the body in a new process with these variables. Other variables that nestbind or an OpenMP
// runtime reads are not set. If OMP_NUM_THREADS is not given, it is 7. The body's checks count for
// this test case. The test case must have no sections, and no comma or bracket in its name. Code
// outside of bodies runs in both processes.
void process(const Variables& variables, const std::function<void()>& body,
             const Expected& expected = {});

// Returns the path of a machine's file in tests/machines.
std::string machine(const std::string& name);

}  // namespace fresh
