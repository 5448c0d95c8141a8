// SPDX-License-Identifier: BSD-3-Clause
// What relative names and descriptors 1 and 2 stood for when the process was started: the program
// goes to another folder, closes descriptors, and opens others under their numbers.
#pragma once

#include <sys/stat.h>

#include <cstddef>

namespace nestbind::process {

// The process is as it was started: remembers it, the first time. Keeps errno.
void learn_original_files();

// Whether descriptor 2 was open then, and 1. Where one was not, it is never ours to write to.
bool has_error_output();
bool has_output();
// Whether descriptor 2 is still the same file.
bool has_same_error_output();

// Whether a file is what descriptor 1 or 2 is now, or was then.
bool is_output_of_program(const struct stat& file);

// The absolute form of a name that was given to the process. Returns false, with errno, where it
// does not fit, or that folder is not known.
bool make_absolute(const char* name, char* absolute, std::size_t size);

// Writes the absolute name of a library of ours, nul-terminated: beside this one, and nowhere else.
// Returns false, and writes nothing of use, where this library's own place is not known, or the
// name does not fit.
bool find_own_file(const char* file, char* name, std::size_t size);

}  // namespace nestbind::process
