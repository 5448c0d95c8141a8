// SPDX-License-Identifier: BSD-3-Clause
// What the files of nestbind memory give each other.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/lines/code_places.hpp"
#include "cli/source/source_lines.hpp"

namespace nestbind::cli::memory {

using Json = nlohmann::ordered_json;

struct Ended {
  int status = 0;  // as waitpid tells it
  int error = 0;   // why it could not be made; 0: it could
};

// Runs `become` in a child, whose exit status is what that returns. Signals of the terminal are the
// child's alone to answer; SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are handed on to it.
Ended run_child(const std::function<int()>& become);

bool was_signalled(const Ended& ended);
// The program could not be executed, as a shell tells it: 126 or 127.
bool has_not_started(const Ended& ended);

// Ends as the child did: the same signal, if it was one, without another core file. Otherwise
// returns its exit status.
int end_alike(const Ended& ended);

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

// Of /proc/PID/numa_maps those with so many bytes at least, the largest first. Without a value
// where the kernel does not tell; errno says why.
std::optional<std::vector<Mapped>> mapped_in(int process, std::uint64_t least);

// In words: a line for each, and what cannot be known. As JSON: one line, an object with the key
// "memory", whose tier is "pages".
std::string in_words(int process, const std::vector<Mapped>& mappings);
std::string as_json(int process, const std::vector<Mapped>& mappings);

using FindFrames = std::function<std::vector<source::Frame>(const source::Place& place)>;

// The object behind the key "memory" gets what was found: in each region's first_touch "source", as
// nestbind lines adds it, in its text the function, line and array, and in its name that of the
// source. Returns false where it is none.
bool complete(Json& told, const FindFrames& find);

// Of a completed one: a line of its process, and some for each region.
std::string in_words(const Json& told);

}  // namespace nestbind::cli::memory
