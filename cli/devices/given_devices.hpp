// SPDX-License-Identifier: BSD-3-Clause
// What `nestbind run --devices` and `--follow` do before the program starts.
#pragma once

#include <string>
#include <vector>

#include "cli/common/usual_options.hpp"
#include "cli/devices/visible_devices.hpp"
#include "spec/spec.hpp"

namespace nestbind::cli {

// Divides the GPUs of each vendor, and the network cards, among ranks with these processors.
std::vector<std::vector<int>> devices_of_ranks(const machine::Hardware& hardware,
                                               const std::vector<std::vector<int>>& ranks);

// Sets the variables that show this rank its devices. The ranks meet, and wait at most 0.2 s. A
// missing rank counts as one with the same mask. wish: a value of NESTBIND_DEVICES. spec: null if
// nothing is bound. Returns a value of NESTBIND_GIVEN_DEVICES.
std::string give_devices(const std::string& wish, const spec::Spec* spec,
                         const machine::Hardware& hardware, const MachineOptions& machine);

// Restricts this process to the processors beside the GPUs that its variables show. In a dry run,
// returns this rank's part of these processors, because the library compares no masks there.
std::vector<int> follow_gpus(const spec::Spec* spec, const machine::Hardware& hardware,
                             const MachineOptions& machine);

}  // namespace nestbind::cli
