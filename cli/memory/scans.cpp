// SPDX-License-Identifier: BSD-3-Clause
#include <sys/file.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cli/common/output_files.hpp"
#include "cli/memory/looks.hpp"
#include "support/kernel_file.hpp"

namespace nestbind::cli::memory {

ScanRates scan_rates(const std::string& folder) {
  ScanRates rates;
  for (const auto& [name, number] : {std::pair{"/scan_delay_ms", &rates.delay_ms},
                                     {"/scan_period_min_ms", &rates.period_ms},
                                     {"/scan_size_mb", &rates.size_mb}}) {
    const int told = std::atoi(support::kernel_text(folder + name).c_str());
    *number = told > 0 ? told : *number;
  }
  return rates;
}

std::uint64_t seconds_to_users(const ScanRates& rates, std::uint64_t bytes) {
  const std::uint64_t size = static_cast<std::uint64_t>(rates.size_mb) << 20;
  const std::uint64_t scans = (bytes + size - 1) / size;
  const auto delay = static_cast<std::uint64_t>(rates.delay_ms);
  return (delay + scans * static_cast<std::uint64_t>(rates.period_ms) + 999) / 1000;
}

FasterScans::FasterScans(const std::string& folder)
    : folder_(support::open_folder(folder.c_str())) {
  int error = !folder_.is_open() || flock(folder_.number(), LOCK_EX | LOCK_NB) != 0 ? errno : 0;
  for (const auto& [name, number] : {std::pair{"/scan_delay_ms", "500"},
                                     {"/scan_period_min_ms", "500"},
                                     {"/scan_period_max_ms", "1000"}}) {
    const std::string before = support::kernel_text(folder + name);
    error = error == 0 && !write_file(folder + name, number) ? errno : error;
    if (error == 0) {
      changed_.emplace_back(folder + name, before);
    }
  }
  if (error != 0) {
    fault_ = folder + ": " +
             (error == EWOULDBLOCK ? "another running nestbind has changed these files"
                                   : std::strerror(error));
  }
}

FasterScans::~FasterScans() {
  for (const auto& [file, before] : changed_) {
    write_file(file, before);
  }
}

}  // namespace nestbind::cli::memory
