// SPDX-License-Identifier: BSD-3-Clause
#include "cli/order.hpp"

#include <cstring>

#include "cli/message.hpp"
#include "mapping/order_text.hpp"
#include "mapping/order_use.hpp"
#include "plan/make.hpp"
#include "support/user_file.hpp"

namespace nestbind::cli {

std::string fault_of_order(const std::string& file, plan::Order& order) {
  std::string text;
  const int error = support::read_user_file(file.c_str(), mapping::kLargestOrder,
                                            support::Streams::kRefused, text);
  if (error != 0) {
    return printable(file) + ": " + std::strerror(error);
  }
  mapping::Fault fault;
  if (mapping::parse_order(text, order, fault)) {
    return "";
  }
  return printable(file) + ", " + mapping::describe(text, fault);
}

bool read_order(const std::string& file, plan::Order& order) {
  const std::string fault = file.empty() ? "" : fault_of_order(file, order);
  if (!fault.empty()) {
    say_printable(fault);
  }
  return fault.empty();
}

void warn_of_order(const std::string& file, const plan::Order& order, const spec::Spec& spec,
                   const AskedMachine& asked) {
  if (order.is_plain()) {
    return;
  }
  plan::Plan plan = plan::make(spec, asked.topology, asked.smt, asked.cores, order);
  const std::string unused = mapping::unused_in(order, plan);
  if (!unused.empty()) {
    warn("{} {}", file, unused);
  }
}

}  // namespace nestbind::cli
