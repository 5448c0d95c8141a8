// SPDX-License-Identifier: BSD-3-Clause
// The machine that this process runs on, as lib/command/probe measures it.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>

#include "probe/instrument.hpp"

namespace nestbind::cli::probe {

// A processor that this process may not use, or no thread; what() says which.
struct CannotMeasure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// bytes: of memory on each node that is read; more than its caches. Its batches throw
// CannotMeasure.
std::unique_ptr<nestbind::probe::Instrument> make_threads(std::size_t bytes);

}  // namespace nestbind::cli::probe
