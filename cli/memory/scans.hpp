// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/files.hpp"

namespace nestbind::cli::memory {

inline constexpr char kScanFolder[] = "/sys/kernel/debug/sched/numa_balancing";

struct ScanRates {
  int delay_ms = 1000;  // Linux's defaults
  int period_ms = 1000;
  int size_mb = 256;
};

// Only root may read the rates. Others get Linux's defaults.
ScanRates scan_rates(const std::string& folder);

std::uint64_t seconds_to_users(const ScanRates& rates, std::uint64_t bytes);

// While this object exists, the kernel scans all processes faster. Only one nestbind can have it.
class FasterScans {
 public:
  explicit FasterScans(const std::string& folder);
  ~FasterScans();
  FasterScans(const FasterScans&) = delete;
  FasterScans& operator=(const FasterScans&) = delete;
  const std::string& fault() const { return fault_; }

 private:
  support::Descriptor folder_;                                // locked
  std::vector<std::pair<std::string, std::string>> changed_;  // files and their earlier contents
  std::string fault_;
};

}  // namespace nestbind::cli::memory
