// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/closing.hpp"

namespace nestbind::interpose {

namespace {
constinit Closing* g_first = nullptr;
}  // namespace

void add(Closing& closing) {
  closing.next = g_first;
  g_first = &closing;
}

void tell_closes() {
  for (const Closing* closing = g_first; closing != nullptr; closing = closing->next) {
    if (closing->closes != nullptr) {
      closing->closes();
    }
  }
}

void tell_closed() {
  for (const Closing* closing = g_first; closing != nullptr; closing = closing->next) {
    closing->closed();
  }
}

}  // namespace nestbind::interpose
