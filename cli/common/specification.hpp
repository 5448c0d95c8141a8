// SPDX-License-Identifier: BSD-3-Clause
// Reads the arguments SPEC and SHAPE, and files of orders (NESTBIND_ORDER).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/order.hpp"
#include "spec/spec.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace nestbind::cli {

struct AskedMachine;

// Returns what is wrong and where; empty if nothing is wrong.
std::string parse(const std::string& text, spec::Spec& spec);

// If the text is wrong, says what is wrong and returns false.
bool read_specification(const std::string& text, spec::Spec& spec);

// Reads a shape ("4x4", "16", "2x2x4"): sizes of levels, at least 1. Not set for any other text.
std::optional<std::vector<int>> read_shape(const std::string& text);

void add_shape(CLI::App& command, std::string& text);

// If the value is wrong, says so and returns false.
bool read_shape_of(const std::string& text, const std::vector<spec::Spec>& specs,
                   std::vector<int>& shape);

// Refuses a pipe, as the library does, because reading could wait. Returns what is wrong, with
// position and caret, and makes `order` plain; empty if nothing is wrong.
std::string fault_of_order(const std::string& file, plan::Order& order);

// "" means the plain order. If the file is wrong, says so and returns false.
bool read_order(const std::string& file, plan::Order& order);

// Warns if an order file has parts for teams that the specification does not have on this machine.
void warn_of_order(const std::string& file, const plan::Order& order, const spec::Spec& spec,
                   const AskedMachine& asked);

}  // namespace nestbind::cli
