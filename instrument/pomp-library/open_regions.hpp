// SPDX-License-Identifier: BSD-3-Clause
// A thread's instrumented regions, the innermost last.
#pragma once

namespace nestbind::pomp_library {

template <typename Entry>
struct OpenRegions {
  static constexpr int kMaxDepth = 64;
  int depth = 0;
  Entry entry[kMaxDepth] = {};

  void enter(const Entry& region) {
    if (depth < kMaxDepth) {
      entry[depth] = region;
    }
    ++depth;
  }

  // Removes the innermost region with this key, and all regions inside.
  template <typename Key>
  Entry leave(Key key) {
    for (int i = (depth < kMaxDepth ? depth : kMaxDepth) - 1; depth <= kMaxDepth && i >= 0; --i) {
      if (entry[i].key == key) {
        depth = i;
        return entry[i];
      }
    }
    depth = depth > kMaxDepth ? depth - 1 : depth;
    return Entry{};
  }

  const Entry* innermost() const {
    return depth > 0 && depth <= kMaxDepth ? &entry[depth - 1] : nullptr;
  }
};

}  // namespace nestbind::pomp_library
