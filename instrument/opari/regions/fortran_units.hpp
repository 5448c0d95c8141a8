// SPDX-License-Identifier: BSD-3-Clause
// The program units of a Fortran source, and the place in each unit for a new declaration.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "instrument/opari/regions/fortran_items.hpp"

namespace nestbind::opari {

struct Unit {
  bool is_interface = false;
  bool in_heading = true;
  std::size_t declarations = 0;  // new declarations can be put before this line
};

class Units {
 public:
  // A main program without a PROGRAM statement may begin with any statement.
  void see(const Item& item);
  std::size_t current() const { return open_.back(); }
  const Unit& operator[](std::size_t index) const { return units_[index]; }
  std::size_t size() const { return units_.size(); }

 private:
  void open(std::size_t declarations, bool is_interface = false);

  std::vector<Unit> units_;
  std::vector<std::size_t> open_;
};

}  // namespace nestbind::opari
