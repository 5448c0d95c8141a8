// SPDX-License-Identifier: BSD-3-Clause
// A directive that begins a parallel region, and its clauses: taken apart, so that nothing but a plain
// `parallel` stands around the region, and what it was combined with within. How each clause is
// given to the parts is what OpenMP says of combined constructs, and what GCC does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestbind::opari {

enum class Language { kC, kCxx, kFree, kFixed };

constexpr bool is_fortran(Language language) {
  return language == Language::kFree || language == Language::kFixed;
}

struct Clause {
  std::string name;
  std::string argument;  // between the parentheses
  bool has_argument = false;
};

struct Directive {
  std::string inner;  // what parallel is combined with: "for simd", "sections", ...; or empty
  std::vector<Clause> clauses;
  std::vector<std::string> loop_variables;  // of the loops that belong to it, where declared outside

  // How many loops that are.
  std::size_t loops() const;
  bool has_inner(std::string_view word) const;
  // Whether a loop follows, which in Fortran needs no end directive.
  bool is_loop() const;
};

// The two directives that one is split into. Empty texts: nothing of the kind.
struct Parts {
  std::string outer;      // the clauses of parallel, without if and num_threads
  std::string inner;      // a directive with its clauses: "for schedule(static)"
  std::string condition;  // of if
  std::string threads;    // of num_threads
  bool condition_inside = false;  // if belongs to the inner directive as well
  bool barrier = false;           // the inner directive does not end with one
};

// text: what follows "omp", on one line. Null if it begins no parallel region.
std::optional<Directive> read_parallel(std::string_view text, Language language);

// condition_name: the variable that has the condition.
Parts split(const Directive& directive, const std::string& condition_name);

std::string lower(std::string_view text);
std::string trim(std::string_view text);
std::string without_blanks(std::string_view text);
bool is_word_character(char c);

}  // namespace nestbind::opari
