// SPDX-License-Identifier: BSD-3-Clause
// The tests use their own folder instead of the kernel's settings.
#include <catch2/catch.hpp>
#include <optional>

#include "cli/memory/looks.hpp"
#include "tests/unit/helpers/folder.hpp"

using namespace nestbind::cli::memory;

TEST_CASE("the seconds until the users of pages are seen follow from the kernel's settings") {
  const Folder folder;
  CHECK(seconds_to_users(scan_rates(folder.path()), 0) == 1);
  CHECK(seconds_to_users(scan_rates(folder.path()), 1 << 20) == 2);
  CHECK(seconds_to_users(scan_rates(folder.path()), std::uint64_t{4} << 30) == 17);
  folder.file("scan_delay_ms", "500\n");
  folder.file("scan_period_min_ms", "100\n");
  folder.file("scan_size_mb", "1024\n");
  CHECK(seconds_to_users(scan_rates(folder.path()), std::uint64_t{4} << 30) == 1);
}

TEST_CASE("the kernel's settings are restored when nobody needs faster scans any more") {
  const Folder folder;
  const std::string delay = folder.file("scan_delay_ms", "1000\n");
  const std::string least = folder.file("scan_period_min_ms", "1000\n");
  const std::string most = folder.file("scan_period_max_ms", "60000\n");
  {
    const FasterScans faster(folder.path());
    CHECK(faster.fault().empty());
    CHECK(content(delay) == "500");
    CHECK(content(most) == "1000");
    const FasterScans another(folder.path());
    CHECK_FALSE(another.fault().empty());
  }
  CHECK(content(delay) == "1000\n");
  CHECK(content(least) == "1000\n");
  CHECK(content(most) == "60000\n");
}

TEST_CASE("without the kernel's folder no setting changes, and the fault is reported") {
  CHECK_FALSE(FasterScans("/nonexistent").fault().empty());
  CHECK(scan_rates("/nonexistent").delay_ms == 1000);
}
