// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "spec/spec.hpp"

namespace nestbind::spec {

// How many threads a specification needs, as far as this is known before the machine is read.
struct Need {
  int threads = 1;       // the product of the numeric sizes, at most kMost
  bool is_open = false;  // true if a size is a word or *
  static constexpr int kMost = 1 << 20;
};

inline Need need_of(const Spec& spec) {
  Need need;
  for (int i = 0; i < spec.levels; ++i) {
    const long size = spec.level[i].size;
    need.is_open = need.is_open || size == 0;
    const long product = need.threads * (size > 0 ? size : 1);
    need.threads = static_cast<int>(product < Need::kMost ? product : long{Need::kMost});
  }
  return need;
}

}  // namespace nestbind::spec
