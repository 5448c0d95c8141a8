// SPDX-License-Identifier: BSD-3-Clause
// A directive that begins a parallel region, and its clauses.
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
  std::string argument;
  bool has_argument = false;
};

struct Directive {
  std::string inner;  // what is combined with `parallel`: "for simd", "sections", ...; or empty
  std::vector<Clause> clauses;
  std::vector<std::string> loop_variables;  // declared before the loops

  std::size_t loops() const;
  bool has_inner(std::string_view word) const;
  // True if a loop follows. In Fortran such a directive needs no end directive.
  bool is_loop() const;
};

// Returns nothing if the text after "omp" begins no parallel region.
std::optional<Directive> read_parallel(std::string_view text, Language language);

std::string lower(std::string_view text);
std::string trim(std::string_view text);
std::string without_blanks(std::string_view text);
bool is_word_character(char c);
// Returns 1 for "(", "[" and "{", -1 for ")", "]" and "}", and 0 for other characters.
int deeper_by(char c);

// Splits a combined construct into a plain `parallel` around the region and other directives
// inside. Each clause goes to the directive to which OpenMP's rules assign it, as in GCC.

// A text is empty if the construct has no such part.
struct Parts {
  std::string outer;  // parallel's clauses, without if and num_threads
  std::string inner;  // a directive with its clauses: "for schedule(static)"
  std::string condition;
  std::string threads;
  bool condition_inside = false;  // the inner directive needs the if clause, too
  bool barrier = false;           // the inner directive does not end with a barrier
};

// condition_name: the variable with the condition's value.
Parts split(const Directive& directive, const std::string& condition_name);

}  // namespace nestbind::opari
