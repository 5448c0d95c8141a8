// SPDX-License-Identifier: BSD-3-Clause
// Primary threads whose workers end with them.
#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "fake_runtime.hpp"

using nestbind::workers::keep_workers;
using nestbind::workers::kept_workers;

constexpr unsigned kSpinning = 1000;

inline bool comes_true(const std::function<bool()>& condition) {
  for (int tries = 0; tries < 2000; ++tries) {
    if (condition()) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

inline void on_primary(const std::function<void()>& function) {
  const int before = kept_workers();
  std::thread(function).join();
  CHECK(comes_true([&] { return kept_workers() == before; }));
}

inline void nothing(int) {}
