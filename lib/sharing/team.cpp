// SPDX-License-Identifier: BSD-3-Clause
#include "sharing/team.hpp"

namespace nestbind::sharing {

constinit thread_local Member* t_member __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace nestbind::sharing
