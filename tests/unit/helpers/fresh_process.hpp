// SPDX-License-Identifier: BSD-3-Clause
// Runs the body of a test case in a new process of the same program.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fresh {

using Variables = std::vector<std::pair<std::string, std::string>>;

struct Expected {
  int status = 0;
  std::string says;  // part of its output
};

// Runs the body in a new process with these variables. Other variables of nestbind and of OpenMP
// are not set. The default of OMP_NUM_THREADS is 7. The test case must have no sections, and no
// comma or bracket in its name. Code outside of bodies runs in both processes.
void process(const Variables& variables, const std::function<void()>& body,
             const Expected& expected = {});

// Returns the path of a file in tests/machines.
std::string machine(const std::string& name);

}  // namespace fresh
