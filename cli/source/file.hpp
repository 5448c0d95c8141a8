// SPDX-License-Identifier: BSD-3-Clause
// The debug information of one file, as libdw reads it. Addresses are as the file counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/source/libdw.hpp"
#include "cli/source/lines.hpp"

namespace nestbind::cli::source {

class File {
 public:
  File(const Libdw& calls, const std::string& name);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // Why nothing can be told; empty: it can.
  const std::string& fault() const { return fault_; }

  // In hexadecimal digits; empty: it has none.
  std::string build_id() const;

  // Whether a function of that name (as the report shows it) begins there.
  bool has_function(const std::string& shown, std::uint64_t begin) const;
  // Whether any function does.
  bool has_function_at(std::uint64_t begin) const;

  // The code at this address.
  std::vector<Frame> frames(std::uint64_t address) const;

 private:
  std::string open(const std::string& name);
  Dwarf_Die* unit_of(std::uint64_t address, Dwarf_Addr& bias) const;
  bool find_functions(Dwarf_Die& scope, Dwarf_Addr address, int depth,
                      std::vector<Dwarf_Die>& found) const;
  std::string name_of(Dwarf_Die& function) const;
  Frame call_of(Dwarf_Die& unit, Dwarf_Die& inlined) const;

  const Libdw& calls_;
  Dwfl_Callbacks callbacks_ = {};
  Dwfl* session_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Addr bias_ = 0;  // of libdw's addresses
  std::string fault_;
};

}  // namespace nestbind::cli::source
