// SPDX-License-Identifier: BSD-3-Clause
// The NESTBIND_* variables, in one table.
#pragma once

namespace nestbind::runtime {

enum class ReportFormat { kNone, kText, kJson };

struct Settings {
  const char* text = nullptr;                 // OMP_NESTING_TEAM_SIZE
  bool strict = false;                        // NESTBIND_STRICT=1
  bool sizes = true;                          // NESTBIND_TEAM_SIZES=ignore
  int smt = 0;                                // NESTBIND_SMT
  int cores = 0;                              // NESTBIND_CORES, as machine::CoreChoice
  const char* machine = nullptr;              // NESTBIND_MACHINE
  const char* cache = nullptr;                // NESTBIND_CACHE
  ReportFormat report = ReportFormat::kNone;  // NESTBIND_REPORT
  const char* report_file = nullptr;          // what stands behind its colon
  bool wants_llvm = false;                    // NESTBIND_RUNTIME=llvm
  bool quiet = false;                         // NESTBIND_QUIET=1
  bool keep_workers = true;                   // NESTBIND_WORKERS=fresh
  const char* competing = nullptr;  // the first of OMP_PROC_BIND, KMP_AFFINITY, ... that is set
};

// As read by read_settings; the defaults before that.
const Settings& settings();

// Reads the specification's variable alone: whether there is anything to do.
bool specification_is_set();

// Reads the NESTBIND_* variables, at the first call. Returns whether all values are good; for
// others it says what was expected, and the default stays.
bool read_settings();

}  // namespace nestbind::runtime
