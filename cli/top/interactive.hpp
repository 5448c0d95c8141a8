// SPDX-License-Identifier: BSD-3-Clause
// The screen, its keys and its clock.
#pragma once

#include <optional>
#include <string>

#include "cli/top/rows.hpp"
#include "cli/top/watched.hpp"
#include "machine/hardware.hpp"

namespace nestbind::cli::top {

struct Shown {
  std::string module;
  double delay = 1;  // seconds between refreshes
  Order order = Order::kPath;
};

// Returns "", or why there is no screen. On SIGTERM or SIGHUP, restores the terminal, and then the
// signal ends the process.
std::string show_interactively(Watched& watched, const Host& host,
                               const std::optional<machine::Hardware>& hardware,
                               const Shown& shown);

}  // namespace nestbind::cli::top
