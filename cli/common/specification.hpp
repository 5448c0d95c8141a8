// SPDX-License-Identifier: BSD-3-Clause
// What is read of the arguments SPEC and SHAPE, and of order files: what nestbind map writes, and
// NESTBIND_ORDER names.
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

// Reads a specification. Returns what is wrong with a bad one, and where; empty for a good one.
std::string parse(const std::string& text, spec::Spec& spec);

// The same, but says it, and returns whether it is good.
bool read_specification(const std::string& text, spec::Spec& spec);

// Reads a shape ("4x4", "16", "2x2x4"): sizes of levels, from 1 on. None where it is none.
std::optional<std::vector<int>> read_shape(const std::string& text);

// --shape, of the teams that the program forks.
void add_shape(CLI::App& command, std::string& text);

// Reads that, for these specifications. No text: an empty shape. Returns whether it is good; says
// what is wrong.
bool read_shape_of(const std::string& text, const std::vector<spec::Spec>& specs,
                   std::vector<int>& shape);

// Reads the file, and waits for nobody: a pipe is refused, as it is by the library. Returns what is
// wrong with it, with the place and a caret, and leaves `order` plain; empty where all is good.
std::string fault_of_order(const std::string& file, plan::Order& order);

// The same, but says it, and returns whether it is good. No name: the plain order.
bool read_order(const std::string& file, plan::Order& order);

// Says what of the order of this file is for other teams than the specification's on this machine.
void warn_of_order(const std::string& file, const plan::Order& order, const spec::Spec& spec,
                   const AskedMachine& asked);

}  // namespace nestbind::cli
