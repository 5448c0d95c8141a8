// SPDX-License-Identifier: BSD-3-Clause
#include "binding/thread.hpp"

namespace nestbind::binding {

constinit thread_local Thread t_thread __attribute__((tls_model("initial-exec"))) = {};

}  // namespace nestbind::binding
