// SPDX-License-Identifier: BSD-3-Clause
// The Instrument that lib/command/probe uses: threads and memory of this machine.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>

#include "probe/instrument.hpp"

namespace nestbind::cli::probe {

// A processor may not be used, or a thread cannot be started; what() says which.
struct CannotMeasure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// bytes: memory to read on each node, more than the node's caches. The batches throw CannotMeasure.
std::unique_ptr<nestbind::probe::Instrument> make_threads(std::size_t bytes);

}  // namespace nestbind::cli::probe
