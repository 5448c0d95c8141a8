// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "cli/probe/probe_forms.hpp"

namespace nestbind::cli::probe {

std::string progress_line(double done, double seconds_left) {
  constexpr std::size_t kBar = 20;
  constexpr double kWhole = 100;
  const double part = std::clamp(done, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(kBar));
  return fmt::format("[{}{}] {:.0f} %, {:.0f} s left", std::string(filled, '#'),
                     std::string(kBar - filled, '.'), kWhole * part,
                     std::ceil(std::max(0.0, seconds_left)));
}

ProgressBar::ProgressBar(std::FILE* file) : file_(file), is_terminal_(isatty(fileno(file)) == 1) {}

void ProgressBar::show(double done, double seconds_left) {
  if (is_terminal_) {
    fmt::print(file_, "\r{}\033[K", progress_line(done, seconds_left));
    std::fflush(file_);
    is_there_ = true;
  }
}

void ProgressBar::clear() {
  if (is_there_) {
    std::fputs("\r\033[K", file_);
    std::fflush(file_);
    is_there_ = false;
  }
}

}  // namespace nestbind::cli::probe
