// SPDX-License-Identifier: BSD-3-Clause
// Remembers the process's initial folder, standard output and standard error.
#pragma once

#include <sys/stat.h>

#include <cstddef>

namespace nestbind::process {

// Must be called at the process's start. Later calls do nothing. Keeps errno.
void learn_original_files();

// True if descriptor 2 (or 1) was open at the start.
bool has_error_output();
bool has_output();
bool has_same_error_output();

bool is_output_of_program(const struct stat& file);

// A relative name is in the process's initial folder. If the result does not fit, or the folder is
// not known, returns false and sets errno.
bool make_absolute(const char* name, char* absolute, std::size_t size);

// Writes the absolute name of another file of nestbind, in the folder of this library. Returns
// false if the folder is not known, or if the name does not fit.
bool find_own_file(const char* file, char* name, std::size_t size);

}  // namespace nestbind::process
