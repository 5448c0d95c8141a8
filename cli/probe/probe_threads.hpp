// SPDX-License-Identifier: BSD-3-Clause
// The Instrument for lib/command/probe, with this machine's threads and memory.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>

#include "probe/measure.hpp"

namespace nestbind::cli::probe {

// Thrown if a processor cannot be used, or a thread cannot be started.
struct CannotMeasure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// bytes: the memory to read on each node, more than its caches hold. The instrument's batches throw
// CannotMeasure.
std::unique_ptr<nestbind::probe::Instrument> make_threads(std::size_t bytes);

}  // namespace nestbind::cli::probe
