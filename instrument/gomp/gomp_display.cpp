// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/gomp/gomp_display.hpp"

#include <stdio.h>

#include "interpose/redirect.hpp"

namespace nestbind::gomp {

namespace {

constinit thread_local bool t_forks __attribute__((tls_model("initial-exec"))) = false;

// Replaces libgomp's fwrite. Does not print the lines that a thread writes while it forks a team.
std::size_t write_others(const void* text, std::size_t size, std::size_t count, FILE* file) {
  const bool is_line = size == 1 && count > 0 && static_cast<const char*>(text)[count - 1] == '\n';
  return t_forks && file == stderr && is_line ? count : fwrite(text, size, count, file);
}

}  // namespace

void keep_lines_back(const Runtime& runtime) {
  if (!omp::lines_are_taken(runtime.calls)) {
    if (!interpose::redirect(reinterpret_cast<const void*>(runtime.calls.get_level), "fwrite",
                             reinterpret_cast<void*>(write_others))) {
      omp::tell_false_lines();
      return;
    }
    omp::take_lines(runtime.calls);
  }
  t_forks = true;
}

void keep_no_more() { t_forks = false; }

}  // namespace nestbind::gomp
