// SPDX-License-Identifier: BSD-3-Clause
#include "team/team.hpp"

#include "team/fork.hpp"

namespace nestbind::team {

constinit thread_local Here t_here __attribute__((tls_model("initial-exec"))) = {};
constinit Member g_nowhere{};
constinit std::atomic<bool> g_followed{true};

}  // namespace nestbind::team
