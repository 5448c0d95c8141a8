// SPDX-License-Identifier: BSD-3-Clause
// The source lines of code, from the debug information of its file.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace nestbind::cli::source {

// Code as a report tells it (lib/preload/interpose/code_place.hpp): what a call returns to, or
// where a function begins.
struct Place {
  std::string module;         // its file
  std::uint64_t address = 0;  // in it, as the file counts
  std::string function;       // that it is in, as the compiler has named it; empty: not told
  std::uint64_t in_function = 0;
  std::string build_id;  // of the file, in hexadecimal digits; empty: not told
};

// A function that has the code.
struct Frame {
  std::string function;  // as it stands in the source, if that is known; may be empty
  std::string file;
  int line = 0;  // from 1: of the code, or, where the frame before was inlined, of its call
};

struct Found {
  std::vector<Frame> frames;  // the innermost first, then what that was inlined into; may be empty
  std::string fault;          // what is wrong with the whole file, where it is not told yet
};

// Keeps the files that it has read.
class Lines {
 public:
  Lines();
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  // Whether lines can be told at all; if not, what is missing for that.
  std::string missing() const;

  // The line of a call, for what it returns to; that of a function, for its begin. Nothing is told
  // of a file that is another one than the place was found in: its build id differs, or where none
  // is told, the place's function is not there.
  Found find(const Place& place);

 private:
  class Files;
  std::unique_ptr<Files> files_;
  std::set<std::string> told_;  // faults
};

}  // namespace nestbind::cli::source
