// SPDX-License-Identifier: BSD-3-Clause
// Finds source lines of code in the debug information of the file that contains the code.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace nestbind::cli::source {

// A place of code in a report (lib/preload/interpose/code_place.hpp). It is the return address of a
// call, or the first address of a function.
struct Place {
  std::string module;         // the file that has the code
  std::uint64_t address = 0;  // an address in the file
  std::string function;       // the compiler's name of the function; empty if not known
  std::uint64_t in_function = 0;
  std::string build_id;  // the file's, in hexadecimal digits; empty if not known
};

// A function that contains the code.
struct Frame {
  std::string function;  // as in the source, if it is known; may be empty
  std::string file;
  int line = 0;  // from 1; if the frame before was inlined, the line of that call
};

struct Found {
  std::vector<Frame> frames;  // the innermost function first; may be empty
  std::string fault;          // what is wrong with the file; reported once for each file
};

// A function that a compiler has made from a parallel region or a task.
struct Outlined {
  std::string symbol;    // the compiler's name
  std::string function;  // the function that contains the region, demangled; empty if not known
  std::uint64_t begin = 0;
  std::string file;  // the file in which the region begins; if not known, empty with line 0
  int line = 0;
  bool is_statement = false;  // the line is that of the first statement, after the directive
};

// The code of one line. `end` is after the last address.
struct Row {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const std::string* file = nullptr;
  int line = 0;
};

// A function's code, and the compiler's name of the function.
struct Function {
  std::string symbol;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The parallel regions of a file, with addresses in the file.
struct Regions {
  std::vector<Outlined> outlined;  // sorted by file and line
  bool has_symbols = false;        // the file has .symtab
  bool has_lines = false;
  std::string fault;  // why the file cannot be read
  std::vector<Function> functions;
  std::vector<Row> rows;
  std::set<std::string> files;  // the files that the rows name
};

// kAll also reads functions and rows of lines, of which a program may have very many.
enum class Detail { kRegions, kAll };
Regions regions_of(const std::string& file, Detail detail);

// Returns a C++ symbol as in the source. Other symbols are not changed.
std::string demangled(const std::string& symbol);

// Finds source lines. Keeps the files that were read.
class Lines {
 public:
  Lines();
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  // Returns what is missing to find lines; empty if nothing is missing.
  std::string missing() const;

  // Finds the lines of a place. Finds nothing if the file has changed since the report. A changed
  // file has another build id, or without build ids another address of the function.
  Found find(const Place& place);

 private:
  class Files;
  std::unique_ptr<Files> files_;
  std::set<std::string> told_;  // faults that were reported already
};

}  // namespace nestbind::cli::source
