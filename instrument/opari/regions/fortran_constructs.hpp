// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrument/opari/regions/clauses.hpp"
#include "instrument/opari/regions/fortran_items.hpp"

namespace nestbind::opari {

// `compact` is a statement's text without blanks.
bool is_do(std::string_view compact, std::string& label);
// The result is empty if the DO statement has no variable.
std::string loop_variable(std::string_view compact);
bool is_end_do(std::string_view compact);
bool is_block(std::string_view compact);

std::size_t end_of_loop(const std::vector<Item>& items, std::size_t first);
std::size_t end_of_block(const std::vector<Item>& items, std::size_t first);

struct Construct {
  std::size_t item = 0;
  std::size_t end = 0;
  bool has_end_directive = false;
  bool is_region = false;
  std::size_t number = 0;
  Directive directive;
  std::size_t unit = 0;
};

class ConstructFinder {
 public:
  ConstructFinder(const std::vector<Item>& items, Language language);

  const std::vector<Construct>& constructs() const { return constructs_; }
  const std::vector<std::size_t>& without_end() const { return without_end_; }
  const Units& units() const { return units_; }

 private:
  struct Open {
    std::string kind;
    Construct construct;
  };

  void see_directive(std::size_t item);
  void end(const std::string& directive, std::size_t item);
  bool close_loop(Construct& construct) const;
  bool close_block(Construct& construct) const;
  void take_end_directive(const std::string& kind, Construct& construct);

  const std::vector<Item>& items_;
  Language language_;
  Units units_;
  std::vector<Construct> constructs_;
  std::vector<Open> open_;
  std::set<std::size_t> used_;  // end directives of loops and blocks that have ended
  std::vector<std::size_t> without_end_;
};

}  // namespace nestbind::opari
