// SPDX-License-Identifier: BSD-3-Clause
#include "planner/order_file.hpp"

#include <algorithm>
#include <system_error>

#include "mapping/order_text.hpp"
#include "mapping/order_use.hpp"
#include "support/user_file.hpp"

namespace nestbind::planner {

namespace {

// For messages: the end of a long one.
std::string shown(const char* file) {
  constexpr std::size_t kMost = 300;
  std::string name = file;
  if (name.size() > kMost) {
    name.replace(0, name.size() - kMost, "...");
  }
  std::ranges::replace_if(name, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return name;
}

}  // namespace

std::string read_order(const char* file, plan::Order& order) {
  std::string text;
  const int error =
      support::read_user_file(file, mapping::kLargestOrder, support::Streams::kRefused, text);
  if (error != 0) {
    return shown(file) + ": " + std::generic_category().message(error);
  }
  mapping::Fault fault;
  if (mapping::parse_order(text, order, fault)) {
    return "";
  }
  return shown(file) + ", " + mapping::describe(text, fault);
}

std::string unused_in(const plan::Order& order, const char* file, plan::Plan& plan) {
  const std::string what = mapping::unused_in(order, plan);
  return what.empty() ? "" : shown(file) + " " + what;
}

}  // namespace nestbind::planner
