// SPDX-License-Identifier: BSD-3-Clause
#include "process/armed.hpp"

namespace nestbind::process {

constinit std::atomic<bool> g_armed{true};

}  // namespace nestbind::process
