// SPDX-License-Identifier: BSD-3-Clause
#include "omp/runtime_sizes.hpp"

#include "omp/usual.hpp"
#include "options/settings.hpp"

namespace nestbind::omp {

Sizes sizes_of(const Calls& runtime) {
  return {runtime.get_max_threads(), runtime.get_max_active_levels()};
}

void install_sizes(const Calls& runtime, int first, int levels) {
  if (!options::settings().sizes) {
    return;
  }
  if (first > 0) {
    runtime.set_num_threads(first);
  }
  runtime.set_max_active_levels(levels);
}

void give_sizes_back(const Calls& runtime, const Sizes& set, const Sizes& before) {
  const Sizes present = sizes_of(runtime);
  if (set.threads > 0 && present.threads == set.threads) {
    runtime.set_num_threads(before.threads);
  }
  if (set.levels > 0 && present.levels == set.levels) {
    runtime.set_max_active_levels(before.levels);
  }
}

void give_levels_back(const Calls& runtime, int levels) {
  if (options::settings().sizes && runtime.get_max_active_levels() == levels) {
    runtime.set_max_active_levels(usual_levels());
  }
}

}  // namespace nestbind::omp
