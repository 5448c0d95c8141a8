// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/gomp/here.hpp"

namespace nestbind::gomp {

constinit thread_local Loop t_loop __attribute__((tls_model("initial-exec"))) = {};

}  // namespace nestbind::gomp
