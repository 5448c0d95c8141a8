// SPDX-License-Identifier: BSD-3-Clause
// A mapping as the pieces that a program has asked for one by one: the kernel joins neighbours.
// Pure.
#pragma once

#include <cstdint>
#include <functional>

#include "memory/units.hpp"
#include "support/mapped_memory.hpp"

namespace nestbind::memory {

using Pieces = support::MappedVector<Range>;

// Reads two words of the process's memory at an address; false where that cannot be. is_likely: a
// chunk ends there, or the range begins.
using ReadWords =
    std::function<bool(std::uint64_t address, std::uint64_t (&words)[2], bool is_likely)>;

// By the heads of glibc's malloc, which maps large chunks by themselves: two words, what was before
// (0) and the size with the mark of a mapped chunk (malloc/malloc.c, "Physical chunk"). Heads are
// looked for at the range's beginning and behind each chunk, and from there on in kProbed pages: a
// thread's stack may lie between. What has none is a piece. Throws std::bad_alloc.
inline constexpr std::uint64_t kProbed = 2112;  // a stack of 8 MiB, and a little more
Pieces split_by_chunks(const Range& range, const ReadWords& read);

// By who touched it first: where the function changes for at least `least` bytes, a multiple of
// `step`. `function(address)`: of the step there, any number that is its own; 0: not known, as
// before. Shorter parts belong to what is before them. Throws std::bad_alloc.
Pieces split_by_function(const Range& range, std::uint64_t step, std::uint64_t least,
                         const std::function<std::uint64_t(std::uint64_t)>& function);

}  // namespace nestbind::memory
