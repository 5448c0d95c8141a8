// SPDX-License-Identifier: BSD-3-Clause
// What is known of the memory of a process that runs: by what watches in it, or, where nothing
// does, by the kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli::memory {

// The report of a process that is watched (NESTBIND_MEMORY), as it has written it; empty, with
// `fault`, where it cannot be asked, cannot answer, or does not within some seconds.
std::string ask(int process, std::string& fault);

// Whether something watches in it: not where that cannot be seen.
bool is_watched(int process);

// A mapping, by its pages.
struct Mapped {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;              // that are there
  std::vector<std::uint64_t> bytes_on;  // by the nodes' numbers
  std::string kind;  // "heap", "stack", a file's name; empty: of the program's own
};

// Of /proc/PID/numa_maps; nothing where a line is none. Files that are only read are left out.
std::optional<Mapped> parse_mapped(std::string_view line);

// Those with so many bytes at least, the largest first. Without a value where the kernel does not
// tell; errno says why.
std::optional<std::vector<Mapped>> mapped_in(int process, std::uint64_t least);

// In words: a line for each, and what cannot be known. As JSON: one line, an object with the key
// "memory", whose tier is "pages".
std::string in_words(int process, const std::vector<Mapped>& mappings);
std::string as_json(int process, const std::vector<Mapped>& mappings);

}  // namespace nestbind::cli::memory
