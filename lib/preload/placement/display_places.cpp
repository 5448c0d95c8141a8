// SPDX-License-Identifier: BSD-3-Clause
#include "placement/display_places.hpp"

#include "binding/thread.hpp"
#include "omp/runtime_affinity.hpp"
#include "placement/place_affinity.hpp"
#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::placement {

namespace {

// What a line tells that may change.
struct Line {
  const unsigned long* bound;
  int level;
  int number;
  int size;
  bool operator==(const Line&) const = default;
};
constinit thread_local Line t_last __attribute__((tls_model("initial-exec"))) = {};

}  // namespace

void display_self(const omp::Calls& runtime) {
  const Line line{binding::t_thread.bound.bits, runtime.get_level(), runtime.get_thread_num(),
                  runtime.get_num_threads()};
  if (line == t_last || !omp::lines_are_taken(runtime)) {
    return;
  }
  t_last = line;
  const support::ErrnoKept errno_kept;
  const process::Uncancelled uncancelled;
  support::TextBuffer format;
  if (auto* display = omp::affinity_calls(runtime).display) {
    display(affinity_format(runtime, nullptr, format) ? format.text() : nullptr);
  }
}

}  // namespace nestbind::placement
