// SPDX-License-Identifier: BSD-3-Clause
// Finds the source lines of code, from the debug information of its file.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace nestbind::cli::source {

// A place of code as a report shows it (lib/preload/interpose/code_place.hpp): the return address
// of a call, or the beginning of a function.
struct Place {
  std::string module;         // the file that has the code
  std::uint64_t address = 0;  // an address of the file
  std::string function;       // the compiler's name of its function; empty: not known
  std::uint64_t in_function = 0;
  std::string build_id;  // of the file, in hexadecimal digits; empty: not known
};

// A function that contains the code.
struct Frame {
  std::string function;  // as in the source, if that is known; may be empty
  std::string file;
  int line = 0;  // from 1; if the previous frame was inlined, the line of its call
};

struct Found {
  std::vector<Frame> frames;  // the innermost first, then the functions around it; may be empty
  std::string fault;          // what is wrong with the whole file, reported once for each file
};

// A function that a compiler has made of a parallel region or a task.
struct Outlined {
  std::string symbol;    // the compiler's name
  std::string function;  // the function that contains the region, demangled; empty: not known
  std::uint64_t begin = 0;
  std::string file;  // where the region begins; empty, and line 0, if not known
  int line = 0;
  bool is_statement = false;  // the line is the first statement's; the directive is before it
};

// Code of one line: from `begin` up to, but without, `end`.
struct Row {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const std::string* file = nullptr;
  int line = 0;
};

// A function's code, with the compiler's name.
struct Function {
  std::string symbol;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The parallel regions of a file. Addresses are those of the file.
struct Regions {
  std::vector<Outlined> outlined;  // sorted by file and line
  bool has_symbols = false;        // .symtab is there
  bool has_lines = false;
  std::string fault;  // why the file cannot be read
  std::vector<Function> functions;
  std::vector<Row> rows;
  std::set<std::string> files;  // the files that the rows name
};

// kAll also reads functions and rows of lines: a program may have very many.
enum class Detail { kRegions, kAll };
Regions regions_of(const std::string& file, Detail detail);

// A C++ symbol as in the source; any other symbol unchanged.
std::string demangled(const std::string& symbol);

// Keeps the files that it has read.
class Lines {
 public:
  Lines();
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  // Returns what is missing to find lines; empty: nothing.
  std::string missing() const;

  // By a call's return address, or a function's beginning. Nothing if the file has changed: by its
  // build id or, without one, if the place's function is not in it.
  Found find(const Place& place);

 private:
  class Files;
  std::unique_ptr<Files> files_;
  std::set<std::string> told_;  // faults that were reported
};

}  // namespace nestbind::cli::source
