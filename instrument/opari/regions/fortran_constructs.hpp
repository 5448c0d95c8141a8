// SPDX-License-Identifier: BSD-3-Clause
// Reads Fortran's statements and directives, to find ends of constructs and places of declarations.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/clauses.hpp"
#include "instrument/opari/regions/regions.hpp"

namespace nestbind::opari {

struct Item {
  bool is_directive = false;
  std::size_t first = 0;
  std::size_t last = 0;
  // For a directive, the text after "omp". A statement is in lower case, has no label, and has "@"
  // in place of literals.
  std::string text;
  std::string label;
  bool shares_line = false;  // True if another statement follows in the last line.

  std::string compact() const { return without_blanks(text); }
};

// width: the length of lines in fixed form.
std::vector<Item> read_items(std::string_view text, const Places& places, Language language,
                             std::size_t width);

// The program units of a Fortran source, and the place in each unit for a new declaration.

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

// `compact` is a statement's text without blanks.
bool is_do(std::string_view compact, std::string& label);

std::size_t end_of_loop(const std::vector<Item>& items, std::size_t first);

struct Construct {
  std::size_t item = 0;
  std::size_t end = 0;
  bool has_end_directive = false;
  bool is_region = false;
  std::size_t number = 0;
  Directive directive;
  std::size_t unit = 0;
};

struct Constructs {
  std::vector<Construct> all;
  std::vector<std::size_t> without_end;
  Units units;
};
Constructs find_constructs(const std::vector<Item>& items, Language language);

}  // namespace nestbind::opari
