// SPDX-License-Identifier: BSD-3-Clause
// Which kinds of loops a program has, by the functions that it imports for them.
#pragma once

#include <string_view>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli::inspect {

// A function by which members of a team get the iterations of a loop, ordered ones left out.
bool is_loop_symbol(std::string_view name);

struct Loops {
  bool has_runtime = false;     // schedule(runtime), in GCC's code
  bool has_dynamic = false;     // schedule(dynamic) or schedule(guided), likewise
  bool has_dispatched = false;  // any of these in Clang's, Flang's or Intel's: one entry for all
  bool operator==(const Loops&) const = default;
};

// Of a file that was read with is_openmp_symbol. Static loops of GCC's import nothing.
Loops loops_of(const ElfFile& file);

}  // namespace nestbind::cli::inspect
