// SPDX-License-Identifier: BSD-3-Clause
#include "omp/sizes.hpp"

#include <stdlib.h>

#include "options/settings.hpp"

namespace nestbind::omp {

void install_sizes(const Calls& runtime, int first, int levels) {
  if (!options::settings().sizes) {
    return;
  }
  if (first > 0) {
    runtime.set_num_threads(first);
  }
  runtime.set_max_active_levels(levels);
}

void give_levels_back(const Calls& runtime, int levels) {
  const char* usual = getenv("OMP_MAX_ACTIVE_LEVELS");
  if (options::settings().sizes && runtime.get_max_active_levels() == levels) {
    runtime.set_max_active_levels(usual == nullptr ? 1 : atoi(usual));
  }
}

}  // namespace nestbind::omp
