// SPDX-License-Identifier: BSD-3-Clause
// Takes away what the process may not use. hwloc could do it, but would rebuild levels and groups.
#include "machine/restrict.hpp"

namespace nestbind::machine {
namespace {

// For each processor of the whole machine how many allowed ones come before it; and all of them.
std::vector<int> allowed_before(const Hardware& whole) {
  std::vector<int> before(whole.cpus.size() + 1, 0);
  for (std::size_t p = 0; p < whole.cpus.size(); ++p) {
    before[p + 1] = before[p] + (whole.is_allowed[p] ? 1 : 0);
  }
  return before;
}

}  // namespace

Hardware restrict_to_allowed(const Hardware& whole) {
  const std::vector<int> before = allowed_before(whole);
  Hardware rest;
  rest.has_cores = whole.has_cores;
  for (std::size_t p = 0; p < whole.cpus.size(); ++p) {
    if (whole.is_allowed[p]) {
      rest.cpus.push_back(whole.cpus[p]);
      if (!whole.speed.empty()) {
        rest.speed.push_back(whole.speed[p]);
      }
    }
  }
  rest.is_allowed.assign(rest.cpus.size(), true);

  std::vector<int> new_index(whole.objects.size(), -1);
  for (std::size_t i = 0; i < whole.objects.size(); ++i) {
    const Object& object = whole.objects[i];
    if (before[object.begin] < before[object.end]) {
      new_index[i] = static_cast<int>(rest.objects.size());
      rest.objects.push_back({object.type,
                              object.is_board,
                              object.level,
                              before[object.begin],
                              before[object.end],
                              {}});
    }
  }
  for (std::size_t i = 0; i < whole.objects.size(); ++i) {
    for (int child : whole.objects[i].children) {
      if (new_index[child] >= 0) {
        rest.objects[new_index[i]].children.push_back(new_index[child]);
      }
    }
  }
  return rest;
}

}  // namespace nestbind::machine
