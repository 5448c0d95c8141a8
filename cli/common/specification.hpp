// SPDX-License-Identifier: BSD-3-Clause
// Reads the arguments SPEC and SHAPE, and files of orders (NESTBIND_ORDER).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/teams.hpp"
#include "spec/spec.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace nestbind::cli {

struct AskedMachine;

// Returns a message that says what is wrong and where. The message is empty if the text is right.
std::string parse(const std::string& text, spec::Spec& spec);

// If the text is wrong, prints a message and returns false.
bool read_specification(const std::string& text, spec::Spec& spec);

// Reads a shape ("4x4", "16", "2x2x4"): sizes of levels, at least 1. Not set for any other text.
std::optional<std::vector<int>> read_shape(const std::string& text);

// Returns the shape in OMP_NUM_THREADS; empty if the variable has none, or only teams of one.
std::vector<int> shape_of_variable();

// If the words are a specification without commas between them, returns how to write it. Otherwise
// returns an empty text.
std::string specification_of_words(const std::string& first,
                                   const std::vector<std::string>& others);

void add_shape(CLI::App& command, std::string& text);

// If the value is wrong, prints a message and returns false.
bool read_shape_of(const std::string& text, const std::vector<spec::Spec>& specs,
                   std::vector<int>& shape);

// Returns a message with position and caret. The message is empty if the file is right. A pipe is
// an error, because a read from a pipe can block.
std::string fault_of_order(const std::string& file, plan::Order& order);

// If `file` is "", `order` does not change. If the file is wrong, prints a message and returns
// false.
bool read_order(const std::string& file, plan::Order& order);

// Warns if an order file has parts for teams that the specification does not have on this machine.
void warn_of_order(const std::string& file, const plan::Order& order, const spec::Spec& spec,
                   const AskedMachine& asked);

}  // namespace nestbind::cli
