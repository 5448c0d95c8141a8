// SPDX-License-Identifier: BSD-3-Clause
// The Instrument for lib/command/probe. It has the threads and the memory of this machine.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>

#include "probe/instrument.hpp"

namespace nestbind::cli::probe {

// A processor cannot be used, or a thread cannot be started. what() says which one.
struct CannotMeasure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// bytes: the memory to read on each node, more than its caches hold. Batches throw CannotMeasure.
std::unique_ptr<nestbind::probe::Instrument> make_threads(std::size_t bytes);

}  // namespace nestbind::cli::probe
