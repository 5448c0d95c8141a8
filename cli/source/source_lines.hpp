// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace nestbind::cli::source {

// A place of code in a report (lib/preload/interpose/code_place.hpp). It is the return address of a
// call, or the first address of a function.
struct Place {
  std::string module;
  std::uint64_t address = 0;
  std::string function;  // the compiler's name of the function; empty if not known
  std::uint64_t in_function = 0;
  std::string build_id;  // hexadecimal digits, or empty
};

struct Frame {
  std::string function;
  std::string file;
  // Line numbers begin with 1. If this function contains an inlined call, this is the call's line.
  int line = 0;
};

struct Found {
  std::vector<Frame> frames;  // the innermost function first; may be empty
  std::string fault;
};

// A function that a compiler has made from a parallel region or a task.
struct Outlined {
  std::string symbol;
  // The function that contains the region, demangled; of a main program of Fortran its name in the
  // source. Empty if not known.
  std::string function;
  std::uint64_t begin = 0;
  std::string file;  // the file in which the region begins; if not known, empty with line 0
  int line = 0;
  bool is_statement = false;  // True if `line` is the first statement's line.
  bool is_fortran = false;    // by the debug information
};

// `end` is after the last address.
struct Row {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const std::string* file = nullptr;
  int line = 0;
};

struct Function {
  std::string symbol;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct Regions {
  std::vector<Outlined> outlined;
  bool has_symbols = false;
  bool has_lines = false;
  std::string fault;
  std::vector<Function> functions;
  std::vector<Row> rows;
  std::set<std::string> files;
};

// kAll also reads functions and rows of lines, of which a program may have very many.
enum class Detail { kRegions, kAll };
Regions regions_of(const std::string& file, Detail detail);

std::string demangled(const std::string& symbol);

class Lines {
 public:
  Lines();
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  std::string missing() const;

  // Finds nothing if the file has changed since the report. The build ids are compared. If the
  // report has no build id, the function's addresses are compared.
  Found find(const Place& place);

 private:
  class Files;
  std::unique_ptr<Files> files_;
  std::set<std::string> told_;
};

// Finds the call chain of another process's thread, by registers, a copy of its stack, and libdw.

struct Mapped {
  std::string file;
  std::uint64_t base = 0;  // the address at which the file's first byte would be mapped
};

struct Moment {
  std::span<const std::uint64_t> registers;  // by the kernel's numbers (asm/perf_regs.h)
  std::uint64_t code = 0;
  std::uint64_t stack_pointer = 0;
  std::span<const std::uint8_t> stack;  // a copy of the stack that begins at stack_pointer
};

class CallChains {
 public:
  explicit CallChains(const std::vector<Mapped>& files);
  ~CallChains();
  CallChains(const CallChains&) = delete;
  CallChains& operator=(const CallChains&) = delete;

  // Returns the places in the copied stack, the innermost first.
  std::vector<Place> find(const Moment& moment);

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace nestbind::cli::source
