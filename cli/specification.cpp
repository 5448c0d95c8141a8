// SPDX-License-Identifier: BSD-3-Clause
#include "cli/specification.hpp"

#include "cli/message.hpp"

namespace nestbind::cli {

std::string parse(const std::string& text, spec::Spec& spec) {
  spec::Fault fault;
  char message[1024];
  return spec::parse(text, spec, fault)
             ? ""
             : std::string(message, spec::describe(text, fault, message, sizeof message));
}

bool read_specification(const std::string& text, spec::Spec& spec) {
  const std::string fault = parse(text, spec);
  if (!fault.empty()) {
    say_printable("bad specification, " + fault);
  }
  return fault.empty();
}

}  // namespace nestbind::cli
