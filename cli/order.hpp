// SPDX-License-Identifier: BSD-3-Clause
// Order files: what nestbind map writes, and NESTBIND_ORDER names.
#pragma once

#include <string>

#include "cli/asked_machine.hpp"
#include "plan/order.hpp"
#include "spec/spec.hpp"

namespace nestbind::cli {

// Reads the file, and waits for nobody: a pipe is refused, as it is by the library. Returns what is
// wrong with it, with the place and a caret, and leaves `order` plain; empty where all is good.
std::string fault_of_order(const std::string& file, plan::Order& order);

// The same, but says it, and returns whether it is good. No name: the plain order.
bool read_order(const std::string& file, plan::Order& order);

// Says what of the order of this file is for other teams than the specification's on this machine.
void warn_of_order(const std::string& file, const plan::Order& order, const spec::Spec& spec,
                   const AskedMachine& asked);

}  // namespace nestbind::cli
