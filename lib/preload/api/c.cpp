// SPDX-License-Identifier: BSD-3-Clause
// The C interface: include/nestbind/nestbind.h.
#include <nestbind/nestbind.h>

#include <cstring>

#include "placement/questions.hpp"
#include "spec/spec.hpp"
#include "worksharing/schedule_in_force.hpp"

#define NESTBIND_EXPORT extern "C" __attribute__((visibility("default")))

NESTBIND_EXPORT const char* nestbind_strerror(int error) { return nestbind::spec::strerror(error); }

NESTBIND_EXPORT int omp_set_nesting_info(const char* text) {
  return nestbind::placement::set_specification(text, text == nullptr ? 0 : std::strlen(text));
}

NESTBIND_EXPORT size_t omp_get_nesting_info(char* buffer, size_t size) {
  return nestbind::placement::get_specification(buffer, size);
}

NESTBIND_EXPORT int nestbind_set_schedule(const char* text) {
  return nestbind::worksharing::set_schedule(text, text == nullptr ? 0 : std::strlen(text));
}

NESTBIND_EXPORT size_t nestbind_get_schedule(char* buffer, size_t size) {
  return nestbind::worksharing::get_schedule(buffer, size);
}

NESTBIND_EXPORT int nestbind_get_place(struct nestbind_place* place) {
  return nestbind::placement::get_place(place);
}

NESTBIND_EXPORT int nestbind_get_cpus(int* cpus, int capacity) {
  return nestbind::placement::get_cpus(cpus, capacity);
}
