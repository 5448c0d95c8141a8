// SPDX-License-Identifier: BSD-3-Clause
// A test case's body in a new process of the same program.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fresh {

using Variables = std::vector<std::pair<std::string, std::string>>;

// How the process ends.
struct Expected {
  int status = 0;
  std::string says;  // in what it writes to both outputs
};

// Runs the body in a process that was started with these variables, and none other that nestbind or
// an OpenMP runtime reads, but OMP_NUM_THREADS=7 unless it is given; its checks are this test
// case's. Of a test case whose name has no comma and no bracket, and without sections; what stands
// outside of bodies is run by both processes.
void process(const Variables& variables, const std::function<void()>& body,
             const Expected& expected = {});

// The machines of tests/machines.
std::string machine(const std::string& name);

}  // namespace fresh
