// SPDX-License-Identifier: BSD-3-Clause
// Where the libraries are that this one loads: beside it, and nowhere else.
#pragma once

#include <cstddef>

namespace nestbind::process {

// Writes the absolute name of a library of ours, nul-terminated. Returns false, and writes nothing
// of use, where this library's own place is not known, or the name does not fit.
bool find_own_file(const char* file, char* name, std::size_t size);

}  // namespace nestbind::process
