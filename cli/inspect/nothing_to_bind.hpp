// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/listing.hpp"

namespace nestbind::cli::inspect {

// Whether a program and the libraries that it starts with have no OpenMP runtime, load nothing by
// themselves and start no program: neither a shell nor an interpreter, and there is nothing to
// bind. False where not all of it is known. Pure.
bool has_nothing_to_bind(const ElfFile& program, const Listing& listing);

// The same of a file; its libraries are read only where the program itself does not tell.
bool has_nothing_to_bind(const std::string& path, const ElfFile& program);

}  // namespace nestbind::cli::inspect
