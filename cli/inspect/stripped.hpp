// SPDX-License-Identifier: BSD-3-Clause
// What tells of a runtime in a program that has no symbol table.
#pragma once

#include <string_view>

#include "cli/inspect/elf_image.hpp"

namespace nestbind::cli::inspect {

// The function by which libgomp starts threads: what contains a libgomp.a imports it.
inline constexpr std::string_view kStartsThreads = "pthread_create";

struct GompTexts {
  bool are_there = false;
  bool is_whole = true;  // false: not found in the part that is searched, and there is more
};

// Whether the texts that every libgomp since GCC 4.4 has, and no other runtime, are in the segments
// that are not written to: the name of a variable, and what begins its messages. Both, for what
// only sets that variable for others has the first. Never fails.
GompTexts find_texts_of_gomp(const ElfImage& image);

}  // namespace nestbind::cli::inspect
