// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/ompt/runtimes.hpp"

namespace nestbind::ompt {

constinit std::array<Runtime, kMaxRuntimes> g_runtimes{};

}  // namespace nestbind::ompt
