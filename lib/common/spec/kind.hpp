// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::spec {

// The kinds of objects for symbolic sizes and for domains, the smallest kind first.
enum class Kind { kPu, kCore, kL2, kL3, kNuma, kPackage, kBoard };
inline constexpr int kKinds = static_cast<int>(Kind::kBoard) + 1;

}  // namespace nestbind::spec
