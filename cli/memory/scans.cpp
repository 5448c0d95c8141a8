// SPDX-License-Identifier: BSD-3-Clause
#include "cli/memory/scans.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "memory/kernel/text_file.hpp"

namespace nestbind::cli::memory {

namespace {

// 0, or why not.
int write_text(const std::string& name, const std::string& text) {
  const int file = open(name.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (file < 0) {
    return errno;
  }
  const int error = write(file, text.data(), text.size()) < 0 ? errno : 0;
  close(file);
  return error;
}

}  // namespace

ScanRates scan_rates(const std::string& folder) {
  ScanRates rates;
  for (const auto& [name, number] : {std::pair{"/scan_delay_ms", &rates.delay_ms},
                                     {"/scan_period_min_ms", &rates.period_ms},
                                     {"/scan_size_mb", &rates.size_mb}}) {
    const int told = std::atoi(nestbind::memory::kernel::read_text(folder + name).c_str());
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
    : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  int error = folder_ < 0 || flock(folder_, LOCK_EX | LOCK_NB) != 0 ? errno : 0;
  for (const auto& [name, number] : {std::pair{"/scan_delay_ms", "500"},
                                     {"/scan_period_min_ms", "500"},
                                     {"/scan_period_max_ms", "1000"}}) {
    const std::string before = nestbind::memory::kernel::read_text(folder + name);
    error = error == 0 ? write_text(folder + name, number) : error;
    if (error == 0) {
      changed_.push_back({folder + name, before});
    }
  }
  if (error != 0) {
    fault_ = folder + ": " +
             (error == EWOULDBLOCK ? "another nestbind has changed these files until it ends"
                                   : std::strerror(error));
  }
}

FasterScans::~FasterScans() {
  for (const Changed& one : changed_) {
    write_text(one.file, one.before);
  }
  if (folder_ >= 0) {
    close(folder_);
  }
}

}  // namespace nestbind::cli::memory
