/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules name these regions by their functions. A region in the lambda belongs to the function
 * around the lambda. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "show.h"

namespace space {

template <typename Number>
__attribute__((noinline)) void fill(Number, const char *label) {
#pragma omp parallel
  show(label);
}

struct Solver {
  __attribute__((noinline)) void operator()(const char *label) const {
#pragma omp parallel
    show(label);
  }
};

__attribute__((noinline)) void with_lambda() {
  const auto lambda = [](const char *label) {
#pragma omp parallel
    show(label);
  };
  lambda("lambda");
}

}  // namespace space

int main() {
  space::fill(3, "int");
  space::fill(2.5, "double");
  space::Solver()("member");
  space::with_lambda();
  return 0;
}
