// SPDX-License-Identifier: BSD-3-Clause
#include "options/variable.hpp"

#include <stdlib.h>

namespace nestbind::options {

const char* variable(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr && value[0] != '\0' ? value : nullptr;
}

}  // namespace nestbind::options
