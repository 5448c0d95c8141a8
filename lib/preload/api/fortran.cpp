// SPDX-License-Identifier: BSD-3-Clause
// Fortran programs that do not use the module call these functions.
// gfortran and flang pass the length of a text by value, after the arguments.

#include "loops/schedule.hpp"
#include "placement/questions.hpp"
#include "spec/spec.hpp"
#include "worksharing/schedule_in_force.hpp"

#define NESTBIND_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// Fortran pads texts with blanks.
std::size_t without_blanks(const char* text, std::size_t length) {
  while (length > 0 && text[length - 1] == ' ') {
    --length;
  }
  return length;
}

void fill(char* text, std::size_t length, const char* with, std::size_t used) {
  for (std::size_t i = 0; i < length; ++i) {
    text[i] = i < used ? with[i] : ' ';
  }
}

}  // namespace

// Also usable as an integer function: returns the result of the C function.
NESTBIND_EXPORT int omp_set_nesting_info_(const char* text, std::size_t length) {
  return nestbind::placement::set_specification(text, without_blanks(text, length));
}

// Also usable as an integer function: returns the length of the whole specification.
NESTBIND_EXPORT int omp_get_nesting_info_(char* text, std::size_t length) {
  char whole[nestbind::spec::kMaxText + 1];
  const std::size_t used = nestbind::placement::get_specification(whole, sizeof whole);
  fill(text, length, whole, used);
  return static_cast<int>(used);
}

NESTBIND_EXPORT int nestbind_set_schedule_(const char* text, std::size_t length) {
  return nestbind::worksharing::set_schedule(text, without_blanks(text, length));
}

NESTBIND_EXPORT int nestbind_get_schedule_(char* text, std::size_t length) {
  char whole[nestbind::loops::kMaxText];
  const std::size_t used = nestbind::worksharing::get_schedule(whole, sizeof whole);
  fill(text, length, whole, used);
  return static_cast<int>(used);
}
