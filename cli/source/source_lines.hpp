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

// A function that a compiler has made of a parallel region, or of a task.
struct Outlined {
  std::string symbol;    // as the compiler has named it
  std::string function;  // whose region it is, as it is demangled; empty: not told
  std::uint64_t begin = 0;
  std::string file;  // where the region begins; empty, and line 0, where that is not known
  int line = 0;
  bool is_statement = false;  // the line is that of its first statement: the directive is before
};

// Code of one line, from `begin` up to `end`.
struct Row {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const std::string* file = nullptr;
  int line = 0;
};

// A function's code, likewise; its name as the compiler has made it.
struct Function {
  std::string symbol;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// What a file tells of its parallel regions. Addresses are as the file counts.
struct Regions {
  std::vector<Outlined> outlined;  // in the order of files and lines
  bool has_symbols = false;        // the link editor's table is there
  bool has_lines = false;
  std::string fault;  // why it cannot be read
  std::vector<Function> functions;
  std::vector<Row> rows;
  std::set<std::string> files;  // of the rows
};

// Whether functions and rows of lines are wanted, too: a program may have very many.
enum class Detail { kRegions, kAll };
Regions regions_of(const std::string& file, Detail detail);

// As it stands in the source; of what is none of C++'s names, the name.
std::string demangled(const std::string& symbol);

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
