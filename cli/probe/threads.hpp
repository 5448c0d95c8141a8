// SPDX-License-Identifier: BSD-3-Clause
// The machine that this process runs on, as lib/probe measures it.
#pragma once

#include <cstddef>
#include <memory>

#include "probe/instrument.hpp"

namespace nestbind::cli::probe {

// bytes: of memory on each node that is read; more than its caches. Its batches throw CannotMeasure
// (crew.hpp).
std::unique_ptr<nestbind::probe::Instrument> make_threads(std::size_t bytes);

}  // namespace nestbind::cli::probe
