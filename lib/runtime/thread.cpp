// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/thread.hpp"

namespace nestbind::runtime {

constinit thread_local Thread t_thread __attribute__((tls_model("initial-exec"))) = {};
constinit const Place g_apart{};
constinit const Place g_apart_root{};

}  // namespace nestbind::runtime
