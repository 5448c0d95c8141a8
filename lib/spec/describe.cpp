// SPDX-License-Identifier: BSD-3-Clause
#include "spec/errors.hpp"
#include "spec/spec.hpp"
#include "support/caret.hpp"

namespace nestbind::spec {

std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size) {
  return support::describe(text, fault.position, strerror(fault.error), fault.expected, buffer,
                           size);
}

}  // namespace nestbind::spec
