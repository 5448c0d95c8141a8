// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>

#include "interpose/next_function.hpp"

namespace nestbind::pomp {

template <std::size_t N>
struct Name {
  constexpr Name(const char (&name)[N]) { std::copy_n(name, N, text); }
  char text[N] = {};
};

template <Name kName, typename Function>
Function* next_function() {
  static constinit interpose::NextFunction next{kName.text};
  return reinterpret_cast<Function*>(next.get_if_any());
}

template <Name kName, typename... Arguments>
bool hand_on(Arguments... arguments) {
  auto* next = next_function<kName, void(Arguments...)>();
  if (next != nullptr) {
    next(arguments...);
  }
  return next != nullptr;
}

}  // namespace nestbind::pomp
